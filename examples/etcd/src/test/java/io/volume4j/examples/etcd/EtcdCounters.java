package io.volume4j.examples.etcd;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;

/** What a member of etcd had counted at a moment, by its own names in {@code /metrics}; those with labels are left out. */
record EtcdCounters(Map<String, Double> values) {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    static EtcdCounters of(URI member) throws IOException, InterruptedException {
        String text = HTTP.send(
                        HttpRequest.newBuilder(member.resolve("/metrics")).build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        Map<String, Double> values = new HashMap<>();
        text.lines()
                .filter(line -> !line.startsWith("#") && !line.contains("{"))
                .forEach(line -> {
                    int space = line.indexOf(' ');
                    values.put(line.substring(0, space), Double.parseDouble(line.substring(space + 1)));
                });
        return new EtcdCounters(values);
    }

    EtcdCounters since(EtcdCounters before) {
        Map<String, Double> grown = new HashMap<>();
        values.forEach((name, value) -> grown.put(name, value - before.values.getOrDefault(name, 0.0)));
        return new EtcdCounters(grown);
    }

    EtcdCounters per(int parts) {
        Map<String, Double> each = new HashMap<>();
        values.forEach((name, value) -> each.put(name, value / parts));
        return new EtcdCounters(each);
    }

    /** @throws IllegalArgumentException if this etcd counts nothing of that name */
    private double value(String name) {
        Double value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("etcd has no counter " + name);
        }
        return value;
    }

    /** How many revisions were written: each is one transaction that changed something. */
    double revisions() {
        return value("etcd_debugging_mvcc_current_revision");
    }

    /** How many transactions the members agreed on. */
    double proposals() {
        return value("etcd_server_proposals_committed_total");
    }

    /** Bytes that clients got. */
    double sent() {
        return value("etcd_network_client_grpc_sent_bytes_total");
    }

    /** Bytes that clients sent. */
    double received() {
        return value("etcd_network_client_grpc_received_bytes_total");
    }

    double walSyncs() {
        return value("etcd_disk_wal_fsync_duration_seconds_count");
    }

    double reads() {
        return value("etcd_mvcc_range_total");
    }

    double watchers() {
        return value("etcd_debugging_mvcc_watcher_total");
    }

    double watchStreams() {
        return value("etcd_debugging_mvcc_watch_stream_total");
    }

    /** Watchers that did not take an event at once, so that etcd reads it for them again. */
    double slowWatchers() {
        return value("etcd_debugging_mvcc_slow_watcher_total");
    }

    double cpuMillis() {
        return 1_000 * value("process_cpu_seconds_total");
    }

    double memory() {
        return value("process_resident_memory_bytes");
    }

    double database() {
        return value("etcd_mvcc_db_total_size_in_bytes");
    }
}
