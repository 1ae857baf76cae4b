import sys

from izwi.service import warming


def test_warming_up_loads_the_compiled_loops():
    warming.warm_up()

    assert {"izwi.index.kernels", "izwi.query.kernels"} <= sys.modules.keys()


def test_a_server_starts_even_if_warming_up_fails(monkeypatch, caplog):
    def fail():
        raise RuntimeError("no compiler")

    monkeypatch.setattr(warming, "warm_up", fail)

    # Past the memory of having warmed up in this process.
    warming.warm_up_in_background.__wrapped__().join()

    assert "could not be made ready" in caplog.text
