# The page behind nginx, which runs as a user without rights: docs/hosting.md.
FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS build
WORKDIR /btfscope
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npx vite build && find dist -name '*.map' -delete

FROM nginxinc/nginx-unprivileged:1.29-alpine@sha256:0c79d56aee561a1d81c63f00eee5fb5fe29279560cdc55e91425133104c7fbe6
COPY container/btfscope.conf /etc/nginx/conf.d/default.conf
COPY --from=build /btfscope/dist /usr/share/nginx/html
