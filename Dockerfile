# The page behind nginx, which runs as a user without rights: docs/hosting.md.
FROM node:24-bookworm-slim AS build
WORKDIR /btfscope
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npx vite build && find dist -name '*.map' -delete

FROM nginxinc/nginx-unprivileged:1.29-alpine
COPY container/btfscope.conf /etc/nginx/conf.d/default.conf
COPY --from=build /btfscope/dist /usr/share/nginx/html
