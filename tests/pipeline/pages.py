"""Pages of a small web, long enough to be kept, and corpora made of them."""

from izwi.config.load import parse
from izwi.model.results import ShardReport
from izwi.pipeline.build import Builder
from izwi.pipeline.runners import Serial
from izwi.pipeline.stages import plan
from izwi.store.catalog import Catalog
from izwi.store.layers import read_documents
from izwi.store.layout import Layout
from tests.store.samples import capture, later

# The subject comes so often that pages about two subjects are no copies of each other.
ENGLISH = (
    "The {what} of the valley met on Thursday with the {what} in the old hall, and {what} were all "
    "they would {what} about, for the {what} had kept the {what} awake, and what the {what} would "
    "do when the {what} came back and {what} were on the {what} to the dam is for {what} to say."
)
AFRIKAANS = (
    "Die boere van die vallei het Donderdagaand in die ou kerksaal bymekaargekom om te praat oor "
    "die {what}, wat almal die grootste deel van die week uit die slaap gehou het, en oor wat die "
    "raad gaan doen wanneer die reën terugkom en die pad na die dam weer onder water is."
)


def html(what, text=ENGLISH, head=""):
    """Return a page about something."""
    return f"<html><head>{head}</head><body><p>{text.format(what=what)}</p></body></html>".encode()


def page(name, what, text=ENGLISH, *, seconds=0):
    """Return the capture of a page about something."""
    return later(capture(f"http://one.example/{name}", html(what, text)), seconds)


def settings(**lines):
    """Return a configuration with a few lines in some sections."""
    tables = {"corpus": 'languages = ["en"]', "gather": 'contact = "x"'} | lines
    tables["corpus"] = 'name = "news"\n' + tables["corpus"]
    return parse("\n".join(f"[{name}]\n{body}" for name, body in tables.items()))


class Corpus:
    """A corpus folder, and what its builds did."""

    def __init__(self, root):
        self.layout = Layout(root)
        self.events = []

    def build(self, config, runner=None, **options):
        """Build and return the result; `events` are those of this build alone."""
        self.events = []
        with Catalog.write(self.layout.catalog) as catalog:
            given = (self.layout, config, catalog, runner or Serial(), self.events.append)
            return Builder(*given, **options).run()

    @property
    def work(self):
        """Which stage worked on which shard in the last build."""
        return [(e.stage, e.shard) for e in self.events if isinstance(e, ShardReport)]

    def path(self, config, layer, shard):
        """Return the file of one shard of a layer."""
        (planned,) = (each for each in plan(config) if each.spec.writes == layer)
        return self.layout.shard(layer, planned.fingerprint, shard)

    def documents(self, config):
        """Return all documents by address, with all that the layers know."""
        layers = ("text", "lang", "sift", "sign", "dup", "select", "tokens")
        return {
            document.url.removeprefix("http://one.example/"): document
            for shard in self.layout.sealed_shards()
            for document in read_documents(
                {layer: self.path(config, layer, shard) for layer in layers}
            )
        }

    def verdicts(self, config):
        """Return the reason for which each page was not kept; empty if it was."""
        return {name: each.verdict.reason for name, each in self.documents(config).items()}
