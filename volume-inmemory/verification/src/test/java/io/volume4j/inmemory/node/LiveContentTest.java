package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.plugins.VolumePlugins;
import io.volume4j.core.volumes.VolumeTransition.Action;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.SecretRef;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a running pod reads follows what its secrets, config maps and tokens have become, though no user changes the pod. */
class LiveContentTest {
    private static final SecretRef LOGIN = new SecretRef("default", "login");

    private final NodeHarness node = NodeHarness.withMachine(1);

    @Test
    void aSecretThatChangesChangesUnderThePod() {
        secret("ann");
        start(volume("secret", Map.of("secretName", "login")));
        assertThat(read("user")).isEqualTo("ann");

        secret("bea");
        node.world.advance(Duration.ofSeconds(1));

        assertThat(read("user")).isEqualTo("bea");
    }

    @Test
    void aConfigMapThatChangesChangesUnderThePod() {
        config("old");
        start(volume("configMap", Map.of("name", "settings")));
        assertThat(read("key")).isEqualTo("old");

        config("new");
        node.world.advance(Duration.ofSeconds(1));

        assertThat(read("key")).isEqualTo("new");
    }

    @Test
    void whatIsProjectedChangesAsWell() {
        secret("ann");
        config("old");
        start(volume(
                "projected",
                Map.of(
                        "sources",
                        List.of(
                                Map.of("secret", Map.of("name", "login")),
                                Map.of("configMap", Map.of("name", "settings"))))));

        config("new");
        node.world.advance(Duration.ofSeconds(1));
        assertThat(read("key")).isEqualTo("new");

        secret("bea");
        node.world.advance(Duration.ofSeconds(1));
        assertThat(read("user")).isEqualTo("bea");
    }

    @Test
    void anOptionalSecretThatComesLaterIsShown() {
        start(volume("secret", Map.of("secretName", "login", "optional", true)));

        secret("ann");
        node.world.advance(Duration.ofSeconds(1));

        assertThat(read("user")).isEqualTo("ann");
    }

    /** A secret that is gone is no reason to take from a pod what it has. */
    @Test
    void aSecretThatGoesLeavesWhatIsThereUntilItIsBack() {
        secret("ann");
        start(volume("secret", Map.of("secretName", "login")));

        node.secrets.remove(LOGIN);
        node.world.advance(Duration.ofMinutes(5));
        assertThat(read("user")).isEqualTo("ann");

        secret("bea");
        node.world.advance(Duration.ofMinutes(10));
        assertThat(read("user")).isEqualTo("bea");
    }

    @Test
    void aSecretOfAHostThatTellsNothingIsLookedAtWithinTwoMinutes() {
        secret("ann");
        node.silentSecrets();
        start(volume("secret", Map.of("secretName", "login")));

        secret("bea");
        node.world.advance(Duration.ofMinutes(2));

        assertThat(read("user")).isEqualTo("bea");
    }

    @Test
    void whatChangedWhileTheProcessWasAwayIsShownAndFollowedAfterwards() {
        secret("ann");
        start(volume("secret", Map.of("secretName", "login")));
        node.kill();
        secret("bea");
        node.pluginsAnew(VolumePlugins.defaultPlugins());
        node.start().settle();
        assertThat(read("user")).isEqualTo("bea");

        secret("cleo");
        node.world.advance(Duration.ofSeconds(1));

        assertThat(read("user")).isEqualTo("cleo");
    }

    @Test
    void onlyVolumesThatShowTheSecretAreSetUpAgain() {
        secret("ann");
        start(volume("secret", Map.of("secretName", "login")));
        long before = remounts();

        node.secrets.put(new SecretRef("default", "other"), Map.of("user", "x"));
        node.secrets.put(new SecretRef("elsewhere", "login"), Map.of("user", "x"));
        node.world.advance(Duration.ofHours(1));
        assertThat(remounts()).isEqualTo(before);

        secret("bea");
        node.world.advance(Duration.ofHours(1));
        assertThat(remounts()).as("once").isEqualTo(before + 1);
    }

    @Test
    void aTokenIsRenewedWhileItsPodRuns() {
        start(volume("projected", Map.of("sources", List.of(Map.of("serviceAccountToken", Map.of("path", "token"))))));
        assertThat(read("token")).startsWith("token-1-");

        node.world.advance(Duration.ofMinutes(50));

        assertThat(read("token")).startsWith("token-2-");
    }

    @Test
    void aTrustBundleThatChangesChangesUnderThePod() {
        String old = node.certificates.authority("example.com/old");
        String young = node.certificates.authority("example.com/young");
        node.certificates.put("roots", "", Map.of(), old);
        start(volume(
                "projected",
                Map.of("sources", List.of(Map.of("clusterTrustBundle", Map.of("name", "roots", "path", "ca"))))));
        assertThat(read("ca")).isEqualTo(old);

        node.certificates.put("roots", "", Map.of(), young);
        node.world.advance(Duration.ofSeconds(1));

        assertThat(read("ca")).isEqualTo(young);
    }

    @Test
    void aCertificateIsKeptOverARestartAndRenewedWhileItsPodRuns() {
        start(certificate());
        String first = read("tls");
        node.kill();
        node.pluginsAnew(VolumePlugins.defaultPlugins());
        node.start().settle();
        assertThat(read("tls")).isEqualTo(first);

        node.world.advance(Duration.ofHours(22));

        assertThat(read("tls")).isNotEqualTo(first);
        assertThat(node.certificates.requests()).hasSize(2);
    }

    /** Otherwise each change of the pod would bring one more renewal for ever. */
    @Test
    void aPodThatChangesOftenIsNotRenewedMoreOften() {
        Pod pod = start(volume(
                "projected", Map.of("sources", List.of(Map.of("serviceAccountToken", Map.of("path", "token"))))));
        for (int i = 0; i < 20; i++) {
            node.cluster.apply(new Pod(
                    pod.metadata().withAnnotation("turn", String.valueOf(i)),
                    pod.spec(),
                    pod.status(),
                    pod.unmodeled()));
            node.world.advance(Duration.ofMinutes(5));
        }
        long before = remounts();

        node.world.advance(Duration.ofHours(8));

        assertThat(remounts() - before).isBetween(9L, 11L);
    }

    @Test
    void aLimitThatAContainerDoesNotHaveIsTheNodes() {
        node.allocatable(Map.of("cpu", Quantity.parse("3")));
        start(volume(
                "downwardAPI",
                Map.of(
                        "items",
                        List.of(Map.of(
                                "path",
                                "cpus",
                                "resourceFieldRef",
                                Map.of("containerName", "app", "resource", "limits.cpu"))))));

        assertThat(read("cpus")).isEqualTo("3");
    }

    private static PodVolume certificate() {
        Map<String, Object> fields =
                Map.of("signerName", "example.com/pods", "keyType", "ED25519", "credentialBundlePath", "tls");
        return volume("projected", Map.of("sources", List.of(Map.of("podCertificate", fields))));
    }

    private void secret(String user) {
        node.secrets.put(LOGIN, Map.of("user", user));
    }

    private void config(String value) {
        node.configs.put("default", "settings", Map.of("key", value.getBytes(StandardCharsets.UTF_8)));
    }

    private static PodVolume volume(String type, Map<String, Object> fields) {
        return new PodVolume("content", new OtherSource(type, new LinkedHashMap<>(fields)));
    }

    private Pod start(PodVolume volume) {
        node.pluginsAnew(VolumePlugins.defaultPlugins());
        Pod pod = node.pod("a", List.of(volume), Pod.SecurityContext.none());
        node.cluster.apply(pod);
        node.start().settle();
        return pod;
    }

    private String read(String name) {
        Path directory = Objects.requireNonNull(node.mounted("a").volumes().get("content"))
                .path();
        return new String(
                Objects.requireNonNull(node.machine).user().read(directory.resolve(name)), StandardCharsets.UTF_8);
    }

    private long remounts() {
        return node.transitions.stream()
                .filter(each -> each.action() == Action.REMOUNT && each.ended())
                .count();
    }
}
