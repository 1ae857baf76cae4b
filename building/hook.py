"""What hatchling does beside collecting files: compile the kernels and put them into the wheel."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))

import kernels


class KernelsHook(BuildHookInterface[Any]):
    """Compiles what is stale before a wheel or an editable installation is made."""

    def dependencies(self) -> list[str]:
        """Return the compiler that comes as a wheel, where the machine has none."""
        return [] if kernels.has_compiler() else [kernels.COMPILER]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile; a wheel is for this Python and this machine's sort then."""
        kernels.build()
        names = [kernels.SHARED, *kernels.sources()]
        build_data["artifacts"] += [
            str(kernels.module_file(name).relative_to(kernels.ROOT)) for name in names
        ]
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
