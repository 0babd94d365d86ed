# The round of an integrator in Python, with `requests`. `judge-by-languages.ts` starts it.
import base64
import hashlib
import hmac
import http.server
import json
import os
import queue
import threading
import time

import requests

API = os.environ["API"]
http_session = requests.Session()
http_session.headers["Host"] = os.environ["API_HOST"]
TOKEN = {"Authorization": "Bearer " + os.environ["TOKEN"], "Accept": "application/json"}
ADMIN = API + "/admin"
BOUND = 30


def call(method, path, status, body=None, **headers):
    answer = http_session.request(
        method, ADMIN + path, json=body, headers={**TOKEN, **headers}, timeout=BOUND
    )
    assert answer.status_code == status, (method, path, answer.status_code, answer.text)
    return answer


def read():
    first = http_session.get(API + "/menu", timeout=BOUND)
    assert first.status_code == 200 and first.json()["success"], first.text
    again = http_session.get(
        API + "/menu", headers={"If-None-Match": first.headers["ETag"]}, timeout=BOUND
    )
    assert (again.status_code, again.content) == (304, b""), again.status_code


def write():
    section = call("POST", "/categories", 201, {"name": {"it": "Primi"}}).json()["data"]["id"]
    dish = {"category_id": section, "name": {"it": "Crème brûlée 日本"}, "price": 9.5}
    accepted = call("POST", "/items", 202, dish, Prefer="respond-async")
    job = accepted.headers["Location"].split("/admin", 1)[1]
    bound = time.monotonic() + BOUND
    while True:
        answer = http_session.get(ADMIN + job, headers=TOKEN, timeout=BOUND)
        if answer.status_code != 202:
            break
        assert time.monotonic() < bound, "the job does not end"
        time.sleep(float(answer.headers["Retry-After"]))
    assert answer.status_code == 201, answer.text
    made = answer.json()["data"]
    assert (made["name"], made["price"]) == (dish["name"]["it"], 9.5), made
    return made["id"]


def refuse():
    told = call("POST", "/items", 422, {"price": -1}).json()
    assert set(told["errors"]) == set(told["codes"]) >= {"price", "category_id"}, told
    assert told["codes"]["price"][0]["rule"] == "min", told


def follow(dish):
    events = queue.Queue()

    def listen():
        answer = http_session.get(API + "/stream", stream=True, timeout=BOUND)
        name = None
        for line in answer.iter_lines(decode_unicode=True):
            if line.startswith("event: "):
                name = line[7:]
            elif line.startswith("data: "):
                data = line[6:]
            elif line == "" and name == "version":
                events.put(json.loads(data)["version"])
                name = None

    threading.Thread(target=listen, daemon=True).start()
    last = events.get(timeout=BOUND)
    for price in range(10, 13):
        # The next event comes while nothing else happens.
        call("PATCH", f"/items/{dish}", 200, {"price": price})
        now = events.get(timeout=BOUND)
        assert now == last + 1, (last, now)
        last = now


def hear(dish):
    arrived = queue.Queue()

    class Receiver(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            arrived.put((self.headers, body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"
    made = call("POST", "/webhooks", 201, {"url": url, "events": ["menu.version"]}).json()["data"]
    call("PATCH", f"/items/{dish}", 200, {"price": 20})
    headers, body = arrived.get(timeout=BOUND)
    key = base64.b64decode(made["secret"].removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    mark = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert "v1," + mark in headers["webhook-signature"].split(" "), headers
    changes = json.loads(body)["data"]["entries"][0]["changes"]
    assert changes[0]["fields"]["price"] == [12, 20], changes
    call("DELETE", f"/webhooks/{made['id']}", 204)
    server.shutdown()


def wait():
    for _ in range(1000):
        answer = http_session.get(API + "/menu", timeout=BOUND)
        if answer.status_code != 200:
            break
    assert answer.status_code == 429, answer.text
    assert answer.json()["message"] == "Too Many Attempts.", answer.text
    assert answer.headers["X-RateLimit-Remaining"] == "0"
    time.sleep(int(answer.headers["Retry-After"]))
    assert http_session.get(API + "/menu", timeout=BOUND).status_code == 200


read()
print("read", flush=True)
dish_id = write()
print("write", flush=True)
refuse()
print("422", flush=True)
follow(dish_id)
print("stream", flush=True)
hear(dish_id)
print("webhook", flush=True)
wait()
print("429", flush=True)
