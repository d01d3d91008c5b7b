"""A REST face over Qdrant's own engine (qdrant-edge): as much of the server's interface as our engine uses.

    python qdrant.py FOLDER      listens on a free port of loopback and prints its address
"""

import json
import re
import shutil
import sys
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from urllib.parse import urlsplit

import qdrant_edge as q

shards, aliases, lock = {}, {}, Lock()
folder = Path(sys.argv[1])


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def shard(name):
    found = shards.get(aliases.get(name, name))
    if found is None:
        raise Refused(404, f"Not found: Collection `{name}` doesn't exist!")
    return found


def condition(one):
    if "is_empty" in one:
        return q.IsEmptyCondition(key=one["is_empty"]["key"])
    match = one["match"]
    match = q.MatchAny(any=match["any"]) if "any" in match else q.MatchValue(value=match["value"])
    return q.FieldCondition(key=one["key"], match=match)


def filtered(body):
    found = body.get("filter") or {}
    parts = {key: [condition(one) for one in found.get(key) or []] or None for key in ("must", "must_not")}
    return q.Filter(**parts) if any(parts.values()) else None


def named(vector):
    if isinstance(vector, dict) and "indices" in vector:
        return q.SparseVector(indices=vector["indices"], values=vector["values"])
    return vector


def told(vector):
    if isinstance(vector, q.SparseVector):
        return {"indices": vector.indices, "values": vector.values}
    if isinstance(vector, dict):
        return {name: told(part) for name, part in vector.items()}
    return vector


def point(record):
    found = {"id": str(record.id), "payload": record.payload, "vector": told(record.vector)}
    if hasattr(record, "score"):
        found["score"] = record.score
    return found


def query(body):
    return q.QueryRequest(
        limit=body["limit"],
        query=q.Query.Nearest(named(body["query"]), using=body["using"]),
        filter=filtered(body),
        with_vector=body.get("with_vector", False),
        with_payload=body.get("with_payload", False),
    )


def create(name, body):
    dense = {
        key: q.EdgeVectorParams(size=one["size"], distance=getattr(q.Distance, one["distance"]))
        for key, one in (body.get("vectors") or {}).items()
    }
    sparse = {
        key: q.EdgeSparseVectorParams(modifier=q.Modifier.Idf if one.get("modifier") == "idf" else None)
        for key, one in (body.get("sparse_vectors") or {}).items()
    }
    place = folder / name
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    shards[name] = q.EdgeShard.create(str(place), q.EdgeConfig(vectors=dense, sparse_vectors=sparse))
    return True


def upsert(found, body):
    points = [
        q.Point(
            id=uuid.UUID(one["id"]),
            vector={name: named(vector) for name, vector in one["vector"].items()},
            payload=one["payload"],
        )
        for one in body["points"]
    ]
    found.update(q.UpdateOperation.upsert_points(points))
    return {"status": "completed"}


def alias(body):
    for action in body["actions"]:
        if "delete_alias" in action:
            aliases.pop(action["delete_alias"]["alias_name"], None)
        else:
            aliases[action["create_alias"]["alias_name"]] = action["create_alias"]["collection_name"]
    return True


def index(found, body):
    kind = getattr(q.PayloadSchemaType, body["field_schema"].capitalize())
    found.update(q.UpdateOperation.create_field_index(body["field_name"], kind))
    return {"status": "completed"}


def scroll(found, body):
    offset = body.get("offset")
    records, following = found.scroll(
        q.ScrollRequest(
            offset=uuid.UUID(offset) if offset else None,
            limit=body["limit"],
            filter=filtered(body),
            with_payload=True,
            with_vector=body.get("with_vector", False),
        )
    )
    return {"points": [point(one) for one in records], "next_page_offset": str(following) if following else None}


def answer(method, path, body):
    if (method, path) == ("POST", "/collections/aliases"):
        return alias(body)
    if (method, path) == ("GET", "/aliases"):
        return {"aliases": [{"alias_name": a, "collection_name": c} for a, c in aliases.items()]}
    name, rest = re.fullmatch(r"/collections/([^/]+)(/.*)?", path).groups()
    if (method, rest) == ("PUT", None):
        return create(name, body)
    found = shard(name)
    match method, rest:
        case "GET", None:
            return {"status": "green", "points_count": found.count(q.CountRequest())}
        case "DELETE", None:
            shards.pop(name)
            found.close()
            return True
        case "PUT", "/index":
            return index(found, body)
        case "PUT", "/points":
            return upsert(found, body)
        case "POST", "/points":
            ids = [uuid.UUID(one) for one in body["ids"]]
            return [point(one) for one in found.retrieve(ids, with_payload=True, with_vector=False)]
        case "POST", "/points/delete":
            found.update(q.UpdateOperation.delete_points_by_filter(filtered(body)))
            return {"status": "completed"}
        case "POST", "/points/query":
            return {"points": [point(one) for one in found.query(query(body))]}
        case "POST", "/points/query/batch":
            return [{"points": [point(hit) for hit in found.query(query(one))]} for one in body["searches"]]
        case "POST", "/points/scroll":
            return scroll(found, body)
        case "POST", "/points/count":
            return {"count": found.count(q.CountRequest(exact=True, filter=filtered(body)))}
        case "POST", "/facet":
            hits = found.facet(q.FacetRequest(key=body["key"], limit=body["limit"], exact=True)).hits
            return {"hits": [{"value": hit.value, "count": hit.count} for hit in hits]}
    raise Refused(404, f"no such door: {method} {path}")


class Face(BaseHTTPRequestHandler):
    def do(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            with lock:
                result = answer(self.command, urlsplit(self.path).path, json.loads(body) if body else {})
            status, said = 200, {"result": result, "status": "ok", "time": 0.0}
        except Refused as refused:
            status, said = refused.status, {"status": {"error": str(refused)}, "time": 0.0}
        except Exception as error:  # the engine's own words reach the test
            status, said = 400, {"status": {"error": f"{type(error).__name__}: {error}"}, "time": 0.0}
        said = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    do_GET = do_PUT = do_POST = do_DELETE = do

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Face)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
