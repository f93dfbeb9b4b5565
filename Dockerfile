# The bot as an image. All that it keeps is in /data; compose.yaml shows how to run it.
FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_ROOT_USER_ACTION=ignore \
    PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /app
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY quizzes quizzes
COPY storage storage
COPY bot bot
# The constraints hold for what builds the package, too: older pips read the first variable for that,
# newer ones the second.
RUN PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt pip install .

# Numbers instead of a name: a host that demands unprivileged containers can see that this is one.
RUN install -d -o 10001 -g 10001 -m 0700 /data
USER 10001:10001
VOLUME /data
WORKDIR /data

ENV DATABASE_PATH=/data/quiz-tutor.sqlite3 \
    LISTEN=127.0.0.1:8080 \
    MPLCONFIGDIR=/tmp/matplotlib

# By a plain connection, which asks no proxy that the environment may name.
HEALTHCHECK --interval=30s --timeout=6s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import http.client, os, sys; page = http.client.HTTPConnection('127.0.0.1', int(os.environ['LISTEN'].rpartition(':')[2]), timeout=5); page.request('GET', '/healthz'); sys.exit(page.getresponse().status != 200)"]

# As PID 1, so that SIGTERM reaches the bot itself.
ENTRYPOINT ["quiz-tutor"]
CMD ["run"]
