"""Which addresses are called: none inside a private network that no setting allows."""

import socket
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from judge.asking.endpoints.actions import problem_with_address
from judge.asking.providers import Configured, made_of
from judge.asking.providers.addresses import AddressError, Problem, check, is_public, parts_of
from judge.asking.providers.base import ErrorKind, ProviderError
from tests.asking.providers.conftest import ask
from tests.llm_stub import Stub

INSIDE = [
    "127.0.0.1", "127.8.8.8", "::1", "0.0.0.0", "::", "10.1.2.3", "172.16.0.1", "192.168.1.1",
    "169.254.169.254", "100.64.0.1", "fe80::1", "fc00::1", "224.0.0.1", "ff02::1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe",
    "2002:7f00:1::", "192.0.2.1", "255.255.255.255",
    # What Python's own table takes as public, in some of its patch releases.
    "192.0.0.192", "168.63.129.16", "192.88.99.1", "198.18.0.1", "64:ff9b:1::7f00:1",
    "::127.0.0.1", "::ffff:0:127.0.0.1", "::ffff:0:7f00:1", "fec0::1", "5f00::1", "3fff::1",
    "2001:db8::1", "2001:0:7f00:1::", "2002:808:808::", "100::1", "fd00:ec2::254",
]  # fmt: skip


def leads_to(monkeypatch, *answers: str) -> list[str]:
    """Have the DNS say one address after the other; returns the hosts that were looked up."""
    left, seen, real = list(answers), [], socket.getaddrinfo

    def getaddrinfo(host, port, *args, **more):
        if host.replace(".", "").isdigit():  # an address is no name
            return real(host, port, *args, **more)
        seen.append(host)
        ip = left.pop(0) if len(left) > 1 else left[0]
        family = socket.AF_INET6 if ":" in ip else socket.AF_INET
        return [(family, socket.SOCK_STREAM, 6, "", (ip, port))]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return seen


@pytest.mark.parametrize("ip", INSIDE)
def test_an_address_inside_is_refused(ip):
    with pytest.raises(AddressError) as refused:
        check("https", [ip], ())
    assert refused.value.problem is Problem.PRIVATE


@pytest.mark.parametrize("patch", ["is_global", "is_private", "is_reserved"])
@pytest.mark.parametrize("ip", ["10.0.0.1", "93.184.216.34", "fec0::1", "2606:4700::1111"])
def test_the_answer_does_not_rest_on_pythons_table(ip, patch, monkeypatch):
    before = is_public(ip_address(ip))
    for kind in (IPv4Address, IPv6Address):
        for answer in (True, False):
            monkeypatch.setattr(kind, patch, answer)
            assert is_public(ip_address(ip)) is before


@pytest.mark.parametrize(
    "ip", ["93.184.216.34", "2606:4700::1111", "::ffff:93.184.216.34", "64:ff9b::808:808"]
)
def test_a_public_address_is_called_by_https_only(ip):
    check("https", [ip], ())
    with pytest.raises(AddressError) as refused:
        check("http", [ip], ["10.0.0.0/8"])
    assert refused.value.problem is Problem.PLAIN_HTTP


def test_one_private_address_among_public_ones_is_enough_to_refuse():
    with pytest.raises(AddressError):
        check("https", ["93.184.216.34", "10.0.0.1"], ())


def test_a_network_that_is_allowed_lets_only_its_own_addresses_through():
    check("http", ["10.1.2.3"], ["10.1.2.0/24"])
    with pytest.raises(AddressError):
        check("http", ["10.1.3.3"], ["10.1.2.0/24"])


@pytest.mark.parametrize(
    "address",
    ["file:///etc/passwd", "gopher://models.example/", "ftp://models.example", "//models.example",
     "https://", "https://user:word@models.example", "https://models.example/?a=1",
     "https://models.example/#x", "https://models.example:99999", "https://mod els.example",
     "https://[::1", "https://models.example\\@10.0.0.1", "javascript:alert(1)", "models.example",
     "https://mödels.example"],
)  # fmt: skip
def test_what_is_no_plain_address_is_refused(address):
    with pytest.raises(AddressError) as refused:
        parts_of(address)
    assert refused.value.problem is Problem.SHAPE


@pytest.mark.parametrize(
    "address",
    ["https://127.0.0.1/v1", "https://[::1]/v1", "https://2130706433/v1", "https://127.1/v1",
     "https://0x7f000001/v1", "http://169.254.169.254/latest", "https://localhost:8000/v1"],
)  # fmt: skip
def test_an_address_that_leads_inside_cannot_be_entered(address):
    assert "private network" in problem_with_address(address)


def test_a_name_that_leads_inside_cannot_be_entered(monkeypatch):
    leads_to(monkeypatch, "10.0.0.7")
    assert "private network" in problem_with_address("https://models.example/v1")


def test_a_public_name_can_be_entered_and_only_with_https(monkeypatch):
    leads_to(monkeypatch, "93.184.216.34")
    assert problem_with_address("https://models.example/v1") == ""
    assert "https://" in problem_with_address("http://models.example/v1")


def test_a_setting_lets_a_server_of_ones_own_network_in(settings):
    settings.PRIVATE_MODEL_NETWORKS = ["127.0.0.0/8"]
    assert problem_with_address("http://127.0.0.1:8000/v1") == ""


def endpoint(address: str, *private: str):
    return made_of(
        Configured(
            name="mine", label="Mine", protocol="openai", address=address, key_variable="",
            private_networks=private,
        )
    )  # fmt: skip


def call(provider) -> ProviderError:
    with pytest.raises(ProviderError) as failed:
        provider.complete(ask("x"), model="m", parameters={}, timeout=5)
    return failed.value


def test_an_address_that_turned_private_is_not_called(monkeypatch):
    with Stub() as stub:
        error = call(endpoint(stub.openai_url))
        assert stub.calls == 0
    assert error.kind is ErrorKind.BAD_REQUEST
    assert "private network" in error.detail


def test_a_name_is_called_at_the_address_that_was_checked(monkeypatch):
    """The DNS says an allowed address first and another one afterwards: nobody asks it again."""
    with Stub() as stub:
        seen = leads_to(monkeypatch, "127.0.0.1", "10.255.255.1")
        mine = endpoint(f"http://models.example:{stub.port}/v1", "127.0.0.1")
        reply = mine.complete(ask("x"), model="m", parameters={}, timeout=5)
        assert reply.text
        assert stub.requests[0].headers["host"] == f"models.example:{stub.port}"
        assert seen == ["models.example"]
        assert "private network" in call(mine).detail  # the next call looks again
        assert stub.calls == 1


def test_a_host_that_nobody_knows_is_a_lost_connection(monkeypatch):
    def unknown(*args, **more):
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert call(endpoint("https://models.example/v1")).kind is ErrorKind.CONNECTION


def test_a_redirect_is_not_followed():
    with Stub() as stub:
        stub.script("redirect")
        error = call(endpoint(stub.openai_url, "127.0.0.1"))
        assert stub.calls == 1
    assert "redirect" in error.detail


@pytest.fixture
def certificate(tmp_path, monkeypatch) -> Path:
    """A certificate of models.example that the SDKs trust, with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "models.example")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("models.example")]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), True)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path / "models.example.pem"
    file.write_bytes(
        made.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    return file


def test_the_certificate_has_to_be_the_hosts_although_its_address_is_called(
    certificate, monkeypatch
):
    with Stub(certificate=str(certificate)) as stub:
        leads_to(monkeypatch, "127.0.0.1")
        right = endpoint(f"https://models.example:{stub.port}/v1", "127.0.0.1")
        assert right.complete(ask("x"), model="m", parameters={}, timeout=5).text
        wrong = endpoint(f"https://other.example:{stub.port}/v1", "127.0.0.1")
        assert call(wrong).kind is ErrorKind.CONNECTION
        assert stub.calls == 1
