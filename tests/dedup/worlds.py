"""Small worlds of documents: held, settled and judged as a build does it, without its files."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from izwi.dedup.judge import Judge, JudgeConfig
from izwi.dedup.ownership import NothingExcluded
from izwi.dedup.signatures import Sign, SignConfig
from izwi.model.document import Document, Metadata, Paragraph, PublicationDate
from izwi.pipeline.holding import OwnConfig, own_texts
from izwi.pipeline.owner_changes import Settler, wrongly_held
from izwi.pipeline.shard import run_shard
from izwi.store.ownership.groups import remove_unused
from izwi.store.ownership.library import answered, write_groups

WHEN = datetime(2020, 1, 1, tzinfo=UTC)


def document(name, paragraphs, *, day=None, seconds=0, site="", precision="day"):
    """Return a signed document; `day` is counted from the first of 2020."""
    told = date(2020, 1, 1) + timedelta(day or 0)
    when = PublicationDate(told, precision, evidence="url") if day else None
    made = Document(
        name, f"https://a.example/{name}.html", WHEN + timedelta(seconds=seconds), "s",
        metadata=Metadata(date=when, site=site), paragraphs=tuple(map(Paragraph, paragraphs)),
    )  # fmt: skip
    (signed,) = Sign(SignConfig())(iter([made]))
    return signed


class World:
    """Shards of documents on disk; judged are only those a change concerns."""

    def __init__(self, layer, config=None, memory_bytes=1 << 20):
        self.layer = layer
        self.memory_bytes = memory_bytes
        self.tasks = []
        self.shards = {}
        self.judged = {}
        self.excluded = NothingExcluded()
        self.config = config or JudgeConfig()
        self._own = OwnConfig(method=self.config.method)

    def put(self, shards):
        """Add or replace shards, then judge what is affected; return which shards those were."""
        for shard, documents in shards.items():
            self.shards[shard] = documents
            self._hold(shard)
        return self._judge()

    def remove(self, shard):
        """Take a shard away."""
        del self.shards[shard]
        self.judged.pop(shard)
        return self._judge()

    def exclude(self, excluded):
        """Take pages out."""
        self.excluded = excluded
        for shard in self.shards:
            if wrongly_held(self.layer / f"{shard}.parquet", excluded):
                self._hold(shard)
        return self._judge()

    @property
    def decisions(self):
        """What each document copies, whatever the shards."""
        return {
            each.id: (each.copy_of, each.copied, each.originals)
            for documents in self.judged.values()
            for each in documents
        }

    def _hold(self, shard):
        path = self.layer / f"{shard}.parquet"
        own_texts(self.shards[shard], self._own, self.excluded, path)

    def _carried(self, stage, tasks):
        """Do tasks, the last one first: their order is no matter."""
        self.tasks += tasks
        return list(map(run_shard, reversed(tasks)))

    def _judge(self):
        settler = Settler(self.layer, self._carried, self.memory_bytes)
        settled = settler.settle(sorted(self.shards))
        if settled is None:
            return frozenset()
        write_groups(self.layer, settled.groups)
        remove_unused(self.layer, settled.groups)
        due = sorted(settled.affected & self.shards.keys())
        answers = settler.answers(due)
        for shard in due:
            library = answered(self.layer, shard, answers)
            plain = (
                replace(each, copy_of=None, copied=(), originals=()) for each in self.shards[shard]
            )
            self.judged[shard] = list(Judge(self.config, library)(plain))
        return frozenset(due)
