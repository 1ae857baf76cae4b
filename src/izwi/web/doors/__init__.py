"""Doors for other programs: the protocols of the field, answered from the same corpora."""

from izwi.web.doors import bonito, federated, harvest

DOORS = (federated.router, harvest.router, bonito.router)
