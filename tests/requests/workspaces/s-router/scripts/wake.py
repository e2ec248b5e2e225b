"""Wake a host by its mac."""
import socket
import sys

PORT = 9
REPEAT = 3
HOSTS = {
    "nas": "00:11:32:AA:20:20",
    "nas-old": "00:11:32:AA:21:21",
    "srv2": "52:54:00:41:41:41",
}


def packet(mac):
    raw = bytes.fromhex(mac.replace(":", ""))
    return b"\xff" * 6 + raw * 16


def wake(name, port=PORT):
    # TODO: say so if the name is unknown
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    for _ in range(REPEAT):
        sock.sendto(packet(HOSTS[name]), ("192.168.10.255", port))


if __name__ == "__main__":
    wake(sys.argv[1])
