"""How coreos-installer is called."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class CoreOSWishes:
    """What a config drive asks for."""

    device: str
    ignition_file: str | None = None
    image_url: str | None = None
    kernel_arguments: Sequence[str] = field(default_factory=tuple)
    copy_network: bool = False


def install_arguments(wishes: CoreOSWishes) -> list[str]:
    """The whole command. An image that is not named is the one on the live system itself."""
    command = ["coreos-installer", "install", "--preserve-on-error"]
    if wishes.ignition_file is not None:
        command += ["--ignition-file", wishes.ignition_file]
    for argument in wishes.kernel_arguments:
        command += ["--append-karg", argument]
    command += ["--image-url", wishes.image_url, "--insecure"] if wishes.image_url is not None else ["--offline"]
    if wishes.copy_network:
        command.append("--copy-network")
    return [*command, wishes.device]


def with_hostname(ignition: str | None, hostname: str) -> str:
    """The user's Ignition with the host's name in it, unless it has one."""
    config: dict[str, Any] = json.loads(ignition) if ignition else {"ignition": {"version": "3.0.0"}}
    files: list[Mapping[str, Any]] = config.setdefault("storage", {}).setdefault("files", [])
    if not any(entry.get("path") == "/etc/hostname" for entry in files):
        files.append({"path": "/etc/hostname", "mode": 0o644, "overwrite": True, "contents": {"source": f"data:,{hostname}"}})
    return json.dumps(config)


def wishes_of(configdrive: Any, device: str, ignition_file: str | None, ip_options: Sequence[str], copy_network: bool) -> CoreOSWishes:
    """`meta_data` of a config drive wins over what the live system was told."""
    if configdrive is not None and not isinstance(configdrive, Mapping):
        raise ValueError("the config drive of a CoreOS installation must be JSON")
    meta = (configdrive or {}).get("meta_data") or {}
    arguments = meta.get("coreos_append_karg") or ""
    named = [argument for argument in str(arguments).split(",") if argument != ""]
    return CoreOSWishes(
        device=device,
        ignition_file=ignition_file,
        image_url=meta.get("coreos_image_url"),
        kernel_arguments=[*named, *ip_options],
        copy_network=bool(meta.get("coreos_copy_network", copy_network)),
    )
