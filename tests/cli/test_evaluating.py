import json
import re
from dataclasses import replace

import numpy as np
from typer.testing import CliRunner

from izwi.cli import render
from izwi.cli.main import app
from izwi.text.extract.learnt import model_at, write_model
from izwi.text.trees import Forest

TEXT = "The bakkie stood at the robot for a long time, and nobody asked whose it was. " * 6
KINDS = ("article", "collection", "documentation", "forum", "listing", "product", "service")


def test_scores_are_whole_on_a_terminal_of_80_columns(tmp_path, monkeypatch):
    rows = [
        {
            "html": f"<p>{TEXT}</p>",
            "text": TEXT,
            "page_type": kind,
            "url": f"http://{kind}.example/",
        }
        for kind in KINDS
    ]
    gold = tmp_path / "gold.jsonl"
    gold.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    monkeypatch.setattr(render.out, "width", 80)

    method = "boilerpipe:variant=article"
    shown = CliRunner().invoke(app, ["evaluate", "extract", str(gold), "--method", method])

    assert shown.exit_code == 0, shown.output
    assert "…" not in shown.output
    assert max(map(len, shown.output.splitlines())) <= 80
    assert len(re.findall(r"\b[01]\.\d{3}\b", shown.output)) == 11 + len(KINDS)
    assert all(kind in shown.output for kind in KINDS)


def test_pages_that_an_earlier_model_read_better_are_printed(tmp_path):
    gold = tmp_path / "gold.jsonl"
    rows = [{"id": name, "html": f"<p>{TEXT}</p>", "text": TEXT} for name in ("kept", "lost")]
    gold.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    asked = ["evaluate", "extract", str(gold), "--method", "bte"]
    before = json.loads(CliRunner().invoke(app, [*asked, "--json"]).stdout)
    before[0]["f1_by_page"]["lost"] += 0.2
    (tmp_path / "before.json").write_text(json.dumps(before), encoding="utf-8")

    shown = CliRunner().invoke(app, [*asked, "--before", str(tmp_path / "before.json")]).output

    assert "1 page got worse, 0 better, of 2" in shown
    assert re.search(r"1\.\d{3} -> [01]\.\d{3}  lost", shown)
    assert not re.search(r"->.*kept", shown)


def test_an_earlier_model_reads_the_same_pages_again(tmp_path):
    """A model that takes nothing for text read one page worse, and none better."""
    gold, older = tmp_path / "gold.jsonl", tmp_path / "older.npz"
    gold.write_text(json.dumps({"id": "kept", "html": f"<p>{TEXT}</p>", "text": TEXT}))
    never = Forest(
        np.zeros((0, 4), dtype=np.float32), np.array([-9], dtype=np.float32), np.array([-1])
    )
    older.write_bytes(write_model(replace(model_at(""), blocks=never)))
    asked = ["evaluate", "extract", str(gold), "--method"]

    shown = CliRunner().invoke(app, [*asked, "izwi", "--before", str(older)]).output
    worse = CliRunner().invoke(app, [*asked, f"izwi:model={older}", "--json"]).stdout

    assert json.loads(worse)[0]["f1"] == 0
    assert "0 pages got worse, 1 better, of 1" in shown
