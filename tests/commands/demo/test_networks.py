"""Which address of a machine a demo is opened at, and what is said when there is none."""

import pytest

from commands.demo.networks import Network, choose, of_this_machine
from services.errors import BadArguments

WIFI = Network(address="192.168.1.23", interface="wlan0", is_usual=True)
CABLE = Network(address="10.2.0.4", interface="eth0")
DOCKER = Network(address="172.17.0.1", interface="docker0")
TUNNEL = Network(address="10.8.0.2", interface="tun0", is_usual=True)
PUBLIC = Network(address="8.8.4.4", interface="eth0", is_usual=True)


@pytest.mark.parametrize(
    ("networks", "chosen"),
    [
        ([WIFI], WIFI),
        ([DOCKER, CABLE, WIFI], WIFI),
        ([TUNNEL, DOCKER, CABLE], CABLE),
        ([PUBLIC, CABLE], CABLE),
        ([TUNNEL], TUNNEL),
    ],
)
def test_the_network_of_the_room_is_chosen(networks: list[Network], chosen: Network) -> None:
    assert choose(networks) == chosen


def test_a_named_address_is_taken_even_if_the_internet_reaches_it() -> None:
    assert choose([WIFI, PUBLIC], "8.8.4.4") == PUBLIC


@pytest.mark.parametrize(
    ("networks", "wanted", "said"),
    [
        ([], "", "no network"),
        ([PUBLIC], "", "whole internet"),
        ([WIFI], "192.168.1.99", "no address of this machine"),
        ([], "10.0.0.1", "no address of this machine"),
    ],
)
def test_without_a_network_of_the_room_it_is_told_what_to_do(networks: list[Network], wanted: str, said: str) -> None:
    with pytest.raises(BadArguments, match=said) as refused:
        choose(networks, wanted)

    assert refused.value.next_step


def test_this_machines_own_loopback_is_never_one_of_them() -> None:
    assert [found for found in of_this_machine() if found.address.startswith("127.")] == []
