"""Texts without a space, made to be read again from each sign, are told like any other."""

import pytest

from izwi.text.language.ngrams import Izwi

PROSE = "Gister het die veerboot weer laat by die hawe aangekom, en die kaptein was baie kwaad. "


# As one word of so many signs each took from minutes to hours.
@pytest.mark.parametrize(
    "sign", ["a@", "a", "a.", "@", "a@a.", "и", "x.com@", "www.", "a,", "_", "-@"]
)
def test_a_word_of_hundreds_of_thousands_of_signs_ends(sign):
    run = sign * (400_000 // len(sign))

    assert Izwi()(f"{run} a@b и").code
    assert Izwi()(f"{PROSE}и a@b.c {run}").code


@pytest.mark.parametrize(
    "address", ["(anna@nel.co.za),", "a@b@nel.org!", "@anna@nel.org", "https://nel.org/a@b.c,d"]
)
def test_addresses_tell_no_language_whatever_stands_round_them(address):
    assert Izwi()(PROSE + address).code == "afr"
    assert Izwi()(address).reason == "address-only"
