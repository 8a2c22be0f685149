package io.volume4j.examples.agent.http;

/** What an API server answers. */
final class Answers {
    static final String CLAIM = """
            {"kind": "PersistentVolumeClaim", "apiVersion": "v1",
             "metadata": {"name": "c", "namespace": "ns", "uid": "u", "resourceVersion": "7", "labels": {"a": "1", "b": "2"}},
             "spec": {"accessModes": ["ReadWriteOnce"]}}""".replace("\n", " ");

    private Answers() {}

    static String list(String more, String... items) {
        return "{\"kind\": \"PersistentVolumeClaimList\", \"metadata\": {\"resourceVersion\": \"9\", \"continue\": \""
                + more + "\"}, \"items\": [" + String.join(",", items) + "]}";
    }

    static String status(int code, String reason, String details) {
        return "{\"kind\": \"Status\", \"code\": %d, \"reason\": \"%s\", \"message\": \"because\", \"details\": {%s}}"
                .formatted(code, reason, details);
    }
}
