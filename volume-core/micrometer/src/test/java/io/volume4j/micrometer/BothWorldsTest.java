package io.volume4j.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.volume4j.core.VolumeManager;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.AttachDetachController;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.host.Metric;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.model.ObjectKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One registry for a node and its controllers. */
@Timeout(120)
class BothWorldsTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String CLUSTER = """
            apiVersion: v1
            kind: Node
            metadata: {name: n1}
            ---
            apiVersion: storage.k8s.io/v1
            kind: CSIDriver
            metadata: {name: mem}
            spec: {attachRequired: true}
            ---
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: fast}
            provisioner: mem
            ---
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: data, namespace: default}
            spec:
              storageClassName: fast
              accessModes: [ReadWriteOnce]
              resources: {requests: {storage: 1Gi}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: writer, namespace: default, uid: u-1}
            spec:
              nodeName: n1
              containers: [{name: c, image: none, volumeMounts: [{name: data, mountPath: /data}]}]
              volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
            """;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    @Test
    void showsWhatIsWantedAndWhatIsThereOfNodeAndControlPlane() {
        Path root = Path.of("/var/lib/volumes");
        InMemoryCluster cluster = InMemoryCluster.create();
        InMemoryMountBackend machine = InMemoryMountBackend.create();
        machine.files().createRoot(root);
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(root)
                        .nodeName("n1")
                        .mounts(machine)
                        .build())
                .plugins(List.of(InMemoryPlugin.on(InMemoryStorage.create())))
                .build();
        MetricsSink sink = new Checked(new MicrometerMetrics(registry));
        try (PersistentVolumeController binding = PersistentVolumeController.builder()
                        .cluster(cluster, cluster)
                        .plugins(plugins)
                        .metrics(sink)
                        .build();
                AttachDetachController attaching = AttachDetachController.builder()
                        .cluster(cluster, cluster)
                        .plugins(plugins)
                        .metrics(sink)
                        .build();
                VolumeManager volumes = VolumeManager.builder()
                        .cluster(cluster)
                        .clusterWriter(cluster)
                        .plugins(plugins)
                        .attachMode(AttachMode.CONTROLLER)
                        .journalInMemory()
                        .metrics(sink)
                        .build()) {
            Manifests.read("cluster", CLUSTER).forEach(cluster::apply);
            binding.start();
            attaching.start();
            volumes.start();
            volumes.awaitMounted(
                    cluster.get(ObjectKey.pod("default", "writer"))
                            .orElseThrow()
                            .metadata()
                            .uid(),
                    SOON);

            await().atMost(SOON)
                    .untilAsserted(
                            () -> assertThat(registry.scrape())
                                    .contains(
                                            "volume_manager_total_volumes{plugin_name=\"mem\",state=\"desired_state_of_world\"} 1.0\n",
                                            "volume_manager_total_volumes{plugin_name=\"mem\",state=\"actual_state_of_world\"} 1.0\n",
                                            "attachdetach_controller_total_volumes{plugin_name=\"mem\",state=\"desired_state_of_world\"} 1.0\n",
                                            "attachdetach_controller_total_volumes{plugin_name=\"mem\",state=\"actual_state_of_world\"} 1.0\n",
                                            "storage_count_attachable_volumes_in_use{node=\"n1\",volume_plugin=\"mem\"} 1.0\n",
                                            "pv_collector_bound_pvc_count{namespace=\"default\",storage_class=\"fast\",volume_attributes_class=\"\"} 1.0\n")
                                    .containsPattern(
                                            "storage_operation_duration_seconds_count\\{[^}]*operation_name=\"volume_attach\",status=\"success\"[^}]*\\} 1")
                                    .containsPattern(
                                            "volume_operation_total_seconds_count\\{operation_name=\"provision\",plugin_name=\"mem\"\\} 1"));
        }
        assertThat(wrong).as("measured otherwise than Metric says").isEmpty();
    }

    /** Every measurement is listed, of its type and with its labels: Prometheus refuses a name with other labels. */
    private final class Checked implements MetricsSink {
        private final MetricsSink to;

        Checked(MetricsSink to) {
            this.to = to;
        }

        @Override
        public void count(String name, Map<String, String> labels, long amount) {
            check(name, labels, Metric.Type.COUNTER);
            to.count(name, labels, amount);
        }

        @Override
        public void time(String name, Map<String, String> labels, Duration duration) {
            check(name, labels, Metric.Type.TIMER);
            to.time(name, labels, duration);
        }

        @Override
        public void gauge(String name, Map<String, String> labels, long value) {
            check(name, labels, Metric.Type.GAUGE);
            to.gauge(name, labels, value);
        }

        private void check(String name, Map<String, String> labels, Metric.Type type) {
            boolean listed = Metric.named(name)
                    .filter(metric -> metric.type() == type
                            && metric.labels().equals(List.copyOf(new TreeSet<>(labels.keySet()))))
                    .isPresent();
            if (!listed) {
                wrong.add(type + " " + name + labels);
            }
        }
    }
}
