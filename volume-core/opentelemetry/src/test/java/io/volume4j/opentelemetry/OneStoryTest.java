package io.volume4j.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.volume4j.core.VolumeManager;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.AttachDetachController;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.worlds.RetryBackoff;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.model.ObjectKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** From claim to mount, all steps of a volume are one trace, though controllers and node tell each other nothing. */
@Timeout(120)
class OneStoryTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(1);
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

    private final InMemorySpanExporter spans = InMemorySpanExporter.create();

    /** As another process would have it. */
    private OpenTelemetryInstrumentation another() {
        OpenTelemetry sdk = OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder()
                        .addSpanProcessor(SimpleSpanProcessor.create(spans))
                        .build())
                .build();
        return new OpenTelemetryInstrumentation(sdk);
    }

    @Test
    void theStepsOfAVolumeAreOneTrace() {
        Path root = Path.of("/var/lib/volumes");
        InMemoryCluster cluster = InMemoryCluster.create();
        InMemoryMountBackend machine = InMemoryMountBackend.create();
        machine.files().createRoot(root);
        InMemoryStorage storage = InMemoryStorage.create();
        storage.faults().add(Fault.on("mount").times(1));
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(root)
                        .nodeName("n1")
                        .mounts(machine)
                        .build())
                .plugins(List.of(InMemoryPlugin.on(storage)))
                .build();
        try (PersistentVolumeController binding = PersistentVolumeController.builder()
                        .cluster(cluster, cluster)
                        .plugins(plugins)
                        .instrumentation(another())
                        .closeTimeout(SOON)
                        .build();
                AttachDetachController attaching = AttachDetachController.builder()
                        .cluster(cluster, cluster)
                        .plugins(plugins)
                        .instrumentation(another())
                        .closeTimeout(SOON)
                        .build();
                VolumeManager volumes = VolumeManager.builder()
                        .cluster(cluster)
                        .clusterWriter(cluster)
                        .plugins(plugins)
                        .attachMode(AttachMode.CONTROLLER)
                        .backoff(new RetryBackoff(SHORT, SHORT, SHORT))
                        .journalInMemory()
                        .instrumentation(another())
                        .closeTimeout(SOON)
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
            await().atMost(SOON).untilAsserted(() -> assertThat(named("MOUNT")).hasSizeGreaterThanOrEqualTo(2));
        }
        String story = "pvc-"
                + cluster.get(ObjectKey.claim("default", "data"))
                        .orElseThrow()
                        .metadata()
                        .uid();
        String trace = OpenTelemetryInstrumentation.origin(story).getTraceId();

        for (String step : List.of("PROVISION", "ATTACH", "CONFIRM_ATTACHED", "MOUNT_DEVICE", "MOUNT")) {
            assertThat(named(step)).as(step).isNotEmpty().allSatisfy(span -> {
                assertThat(span.getTraceId()).isEqualTo(trace);
                assertThat(span.getAttributes().get(OpenTelemetryInstrumentation.STORY))
                        .isEqualTo(story);
            });
        }
        assertThat(named("MOUNT"))
                .anySatisfy(span -> assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR))
                .anySatisfy(span -> {
                    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
                    assertThat(named("MOUNT call"))
                            .anyMatch(call -> call.getParentSpanId().equals(span.getSpanId()));
                });
    }

    private List<SpanData> named(String name) {
        return spans.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
    }
}
