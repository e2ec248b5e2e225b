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

FROM rust:1.95-slim-bookworm AS server
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /build
# The dependencies first, over empty sources: they are built again only when a manifest or the lock file changes.
COPY Cargo.toml Cargo.lock ./
COPY protocol/Cargo.toml protocol/
COPY server/Cargo.toml server/
COPY tests/Cargo.toml tests/
RUN mkdir -p protocol/src/bin server/src server/benches tests/src/bin tests/suite \
 && touch protocol/src/lib.rs server/src/lib.rs tests/src/lib.rs \
 && benches=$(sed -n '/^\[\[bench\]\]/{n;s|^name = "\(.*\)"|server/benches/\1.rs|p}' server/Cargo.toml) \
 && for main in protocol/src/bin/export_ts.rs server/src/main.rs tests/suite/main.rs $benches; do echo 'fn main() {}' > "$main"; done
RUN cargo build --release --locked -p switchboard
COPY protocol protocol
COPY server server
COPY --from=page /build/web/dist web/dist
# What was built over the empty sources is older than these.
RUN touch protocol/src/lib.rs server/src/lib.rs server/src/main.rs \
 && SWITCHBOARD_SKIP_UI=1 cargo build --release --locked -p switchboard

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
