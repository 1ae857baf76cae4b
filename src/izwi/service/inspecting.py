"""The older address of what says which layers are built: see izwi.curation.decisions."""

from izwi.curation.decisions import built_layers as built_layers
