package io.volume4j.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.spi.model.SecretRef;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Invariant 14: a secret that a plugin tells wherever it can is in no byte that the view sends. */
@Timeout(120)
class SecretsTest {
    private static final String SECRET = "hunter2-hunter2";

    @Test
    void noByteThatIsSentHoldsASecret() throws Exception {
        try (LiveHost host = new LiveHost(LiveViewBuilder::actions)) {
            host.secrets.put(new SecretRef("default", "login"), Map.of("password", SECRET));
            host.plugin.faults().add(Fault.on("mount").as(FaultKind.TRANSIENT).always());
            host.plugin
                    .faults()
                    .add(Fault.on("delete").as(FaultKind.UNCLASSIFIED_BEFORE).always());
            host.start();
            host.apply("""
                    apiVersion: v1
                    kind: PersistentVolume
                    metadata: {name: pv-1}
                    spec:
                      capacity: {storage: 1Gi}
                      accessModes: [ReadWriteOnce]
                      persistentVolumeReclaimPolicy: Retain
                      claimRef: {namespace: default, name: s}
                      csi:
                        driver: mem
                        volumeHandle: vol-1
                        nodePublishSecretRef: {namespace: default, name: login}
                        nodeStageSecretRef: {namespace: default, name: login}
                        controllerPublishSecretRef: {namespace: default, name: login}
                    ---
                    apiVersion: v1
                    kind: PersistentVolumeClaim
                    metadata: {name: s, namespace: default}
                    spec: {storageClassName: "", volumeName: pv-1, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                    ---
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: s, namespace: default, uid: u-s}
                    spec:
                      nodeName: n1
                      containers: [{name: c, image: none, volumeMounts: [{name: data, mountPath: /data}]}]
                      volumes: [{name: data, persistentVolumeClaim: {claimName: s}}]
                    """);
            host.storage.add("vol-1", 1 << 30);
            Visitor viewer = new Visitor(host.view.uri(), host.view.operatorToken());
            await().atMost(LiveHost.SOON)
                    .untilAsserted(() -> assertThat(viewer.rows("state:failing kind:volume")
                                    .path("total")
                                    .asInt())
                            .isEqualTo(1));

            assertThat(host.secrets.resolved())
                    .as("the plugin was given the secret")
                    .isNotEmpty();
            JsonNode row = viewer.rows("kind:volume").path("rows").get(0);
            viewer.summary();
            viewer.rows("");
            viewer.detail("n1", row.path("key").asText());
            for (JsonNode object : viewer.rows("node:claims").path("rows")) {
                viewer.detail("claims", object.path("key").asText());
            }
            viewer.get("/api/orphans");
            for (String file : Pages.FILES) {
                viewer.raw("GET", "/" + file, "");
            }

            assertThat(viewer.heard).hasSizeGreaterThan(10).noneMatch(sent -> sent.contains(SECRET));
            assertThat(row.path("error").asText())
                    .as("the failure itself is told, without the secret that the plugin put into it")
                    .contains("tried with");
        }
    }
}
