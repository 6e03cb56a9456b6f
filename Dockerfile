# The service as production runs it: built once, no development packages in the image.
# Pin the base image by its digest: docker build --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:… . See
# docs/production.md.
ARG NODE_IMAGE=node:24-bookworm-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
# .dockerignore lists what the build needs.
COPY . ./
RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts
# The packages that remain, and those in the pages for browsers: docs/releases.md.
RUN node tools/sbom.mjs sbom

FROM ${NODE_IMAGE}
# The heap may use 60% of the container's memory limit. The rest is for buffers, code and the health check.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 NODE_OPTIONS=--max-old-space-size-percentage=60
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/schema ./schema
COPY --from=build /app/dist ./dist
COPY --from=build /app/sbom ./sbom
ARG VERSION=0.1.0
ARG REVISION=unknown
ARG SOURCE=
LABEL org.opencontainers.image.title="Waybill" \
  org.opencontainers.image.description="A self-hosted shipping partner gateway" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.source="${SOURCE}"
USER node
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
