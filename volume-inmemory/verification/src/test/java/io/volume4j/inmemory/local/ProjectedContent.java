package io.volume4j.inmemory.local;

import io.volume4j.inmemory.host.InMemoryCertificates;
import io.volume4j.inmemory.host.InMemoryConfig;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.host.InMemorySecrets;
import io.volume4j.inmemory.host.ManualClock;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.VolumeSource;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A projected volume with something of every kind, and a host that has it. */
public final class ProjectedContent {
    private ProjectedContent() {}

    public static void prepare(InMemoryPluginHost.Builder host) {
        InMemorySecrets secrets = new InMemorySecrets();
        secrets.put(new SecretRef("default", "login"), Map.of("password", "quiet please"));
        InMemoryConfig configs = new InMemoryConfig(new ManualClock());
        configs.put("default", "settings", Map.of("a.conf", "a=1".getBytes(StandardCharsets.UTF_8)));
        InMemoryCertificates certificates = new InMemoryCertificates(new ManualClock());
        certificates.put("roots", "", Map.of(), certificates.authority("example.com/roots"));
        host.secrets(secrets).configs(configs).certificates(certificates);
    }

    public static VolumeSource source() {
        Map<String, Object> secret = Map.of("secret", Map.of("name", "login"));
        Map<String, Object> config = Map.of(
                "configMap",
                Map.of("name", "settings", "items", List.of(Map.of("key", "a.conf", "path", "conf/a.conf"))));
        Map<String, Object> downward = Map.of(
                "downwardAPI",
                Map.of(
                        "items",
                        List.of(Map.of("path", "conf/name", "fieldRef", Map.of("fieldPath", "metadata.name")))));
        Map<String, Object> token = Map.of("serviceAccountToken", Map.of("path", "token"));
        Map<String, Object> bundle = Map.of("clusterTrustBundle", Map.of("name", "roots", "path", "tls/roots.pem"));
        Map<String, Object> certificate = Map.of(
                "podCertificate",
                Map.of(
                        "signerName",
                        "example.com/pods",
                        "keyType",
                        "ED25519",
                        "credentialBundlePath",
                        "tls/bundle.pem"));
        return new OtherSource(
                "projected", Map.of("sources", List.of(secret, config, downward, token, bundle, certificate)));
    }
}
