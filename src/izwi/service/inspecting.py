"""The older address of what says which layers are built: see izwi.service.documents."""

from izwi.service.documents import built_layers as built_layers
