# Build: the page with Node.js, the server with Rust. Run: the binary alone, as an ordinary user.
#
#   docker build -t switchboard .
#   docker run -p 7878:7878 -v "$PWD:/workspace" -v switchboard-data:/data switchboard
#
# The first start makes a token, keeps it in /data and prints the address with it; SWITCHBOARD_AUTH_TOKEN sets another one.
# `tests/run container` takes the same steps without Docker. All images are of one Debian release, so that the binary finds
# the C library that it was linked with.

FROM node:22-bookworm-slim AS page
WORKDIR /build/web
COPY web/package.json web/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY web ./
RUN npm run build

# The manifests alone: what is built over them is built again only when one of them, or the lock file, changes.
FROM debian:bookworm-slim AS manifests
WORKDIR /build
COPY Cargo.toml Cargo.lock ./
COPY protocol protocol
COPY server server
COPY tests tests
RUN find protocol server tests -type f ! -name Cargo.toml -delete

FROM rust:1.95-slim-bookworm AS server
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY --from=manifests /build ./
# The dependencies first, over empty sources.
RUN for manifest in $(find protocol server tests -name Cargo.toml); do \
      crate=$(dirname "$manifest"); mkdir -p "$crate/src" "$crate/benches"; touch "$crate/src/lib.rs"; \
      for bench in $(sed -n '/^\[\[bench\]\]/{n;s|^name = "\(.*\)"|\1|p}' "$manifest"); do \
        echo 'fn main() {}' > "$crate/benches/$bench.rs"; done; done \
 && mkdir -p protocol/src/bin tests/suite \
 && for main in protocol/src/bin/export_ts.rs server/src/main.rs tests/suite/main.rs; do echo 'fn main() {}' > "$main"; done
RUN cargo build --release --locked -p switchboard --features nats
COPY protocol protocol
COPY server server
COPY --from=page /build/web/dist web/dist
# What was built over the empty sources is older than these.
RUN find protocol server \( -name lib.rs -o -name main.rs \) -exec touch {} + \
 && SWITCHBOARD_SKIP_UI=1 cargo build --release --locked -p switchboard --features nats

FROM debian:bookworm-slim
# For the commands that the agent runs: bash and git. For the health check: curl.
RUN apt-get update && apt-get install -y --no-install-recommends bash ca-certificates curl git && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home --uid 1000 switchboard && install -d -o switchboard -g switchboard /workspace /data
COPY --from=server /build/target/release/switchboard /usr/local/bin/switchboard
USER switchboard
WORKDIR /workspace
ENV SWITCHBOARD_LISTEN=0.0.0.0:7878 SWITCHBOARD_WORKSPACE=/workspace SWITCHBOARD_DATA=/data SWITCHBOARD_AUTH_TOKEN_FILE=/data/token
VOLUME ["/workspace", "/data"]
EXPOSE 7878
HEALTHCHECK --interval=30s --timeout=3s --start-period=5s CMD curl --fail --silent --show-error http://127.0.0.1:7878/healthz || exit 1
STOPSIGNAL SIGTERM
CMD ["switchboard"]
