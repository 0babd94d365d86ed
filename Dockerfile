# One image for every process: gateway, worker and the operators' commands.
# The HTTP library's binary for Node 20 runs on this system's C library; those for later versions
# of Node need Debian trixie.
FROM node:20-bookworm-slim
ENV NODE_ENV=production
WORKDIR /opt/lavagna
COPY package.json package-lock.json ./
RUN npm ci --omit=dev && npm cache clean --force
COPY LICENSE Procfile ./
COPY db db
COPY gateway gateway
COPY workers workers
USER node
EXPOSE 8080 9090
HEALTHCHECK CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OPS_PORT || 9090}/healthz`).then((response) => process.exit(response.ok ? 0 : 1))"]
CMD ["node", "--import", "tsx", "gateway/main.ts"]
