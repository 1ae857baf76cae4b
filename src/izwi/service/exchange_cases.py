"""Use cases of exchange with other programs: collections in, quotations out, comparisons."""

from pathlib import Path

from izwi.config.schema import CorpusConfig
from izwi.model.results import Listener, RunReport, ignore
from izwi.service import exchange
from izwi.service.runs import Run, running
from izwi.service.use_cases import use_case
from izwi.store.layout import Layout


class ExchangeCases:
    """What a corpus takes from other programs and gives to them beside exports."""

    _layout: Layout
    _config: CorpusConfig

    @use_case("import conllu", "POST /api/v1/c/{corpus}/import/conllu")
    def import_conllu(
        self, path: str | Path, *, name: str = "", listener: Listener = ignore
    ) -> RunReport:
        """Take in the documents of CoNLL-U files with their words, lemmas and tags."""
        return self._import("conllu", path, name, listener)

    @use_case("import tei", "POST /api/v1/c/{corpus}/import/tei")
    def import_tei(
        self, path: str | Path, *, name: str = "", listener: Listener = ignore
    ) -> RunReport:
        """Take in the documents of TEI files, one or a folder of them, or of a teiCorpus."""
        return self._import("tei", path, name, listener)

    @use_case("import texts", "POST /api/v1/c/{corpus}/import/texts")
    def import_texts(
        self, path: str | Path, *, name: str = "", listener: Listener = ignore
    ) -> RunReport:
        """Take in texts with their metadata as JSON Lines or Parquet."""
        return self._import("texts", path, name, listener)

    def _import(self, form: str, path: str | Path, name: str, listener: Listener) -> RunReport:
        with running(self._layout, f"import {form}", listener) as run:
            exchange.import_documents(
                self._layout, self._config, run, Path(path), form=form, name=name
            )
            self._close(run)
        return run.report

    def _close(self, run: Run) -> None:
        raise NotImplementedError
