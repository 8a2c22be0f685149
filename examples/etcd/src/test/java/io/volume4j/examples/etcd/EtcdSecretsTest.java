package io.volume4j.examples.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ConfigResolver.TokenRequest;
import io.volume4j.spi.model.SecretRef;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EtcdSecretsTest {
    private static final String KEY = Base64.getEncoder().encodeToString(new byte[32]);
    private static final SecretRef REFERENCE = new SecretRef("default", "login");

    private static EtcdServer server;
    private static EtcdClient etcd;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        server = EtcdServer.start();
        etcd = server.client();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            etcd.close();
            server.close();
        }
    }

    @Test
    void etcdKeepsNoSecretThatItCouldTell() throws IOException {
        EtcdSecrets secrets = secrets(KEY);
        secrets.put("default", "login", Map.of("password", "s3cret-value".getBytes(UTF_8)));

        assertThat(secrets.resolve(REFERENCE).values()).containsEntry("password", "s3cret-value");
        String stored = EtcdKeys.text(etcd.await(
                        "read", etcd.client().getKVClient().get(etcd.keys().ofSecret("default", "login")))
                .getKvs()
                .get(0)
                .getValue());
        assertThat(stored).doesNotContain("s3cret").doesNotContain("password");
        assertThat(secrets.delete("default", "login")).isTrue();
        assertThat(secrets.content(REFERENCE)).isEmpty();
        assertThatThrownBy(() -> secrets.resolve(REFERENCE))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("secret default/login does not exist");
    }

    @Test
    void aSecretThatWasMovedOrIsOfAnotherKeyIsAClearErrorWithoutItsValue() throws IOException {
        EtcdSecrets secrets = secrets(KEY);
        secrets.put("default", "login", Map.of("password", "s3cret-value".getBytes(UTF_8)));
        var kv = etcd.client().getKVClient();
        var stored = etcd.await("read", kv.get(etcd.keys().ofSecret("default", "login")))
                .getKvs()
                .get(0);
        etcd.await("move", kv.put(etcd.keys().ofSecret("default", "moved"), stored.getValue()));

        assertThatThrownBy(() -> secrets.resolve(new SecretRef("default", "moved")))
                .hasMessageContaining("moved from another place")
                .hasMessageNotContaining("s3cret");
        byte[] other = new byte[32];
        other[0] = 1;
        assertThatThrownBy(
                        () -> secrets(Base64.getEncoder().encodeToString(other)).resolve(REFERENCE))
                .hasMessageContaining("a key that the key file does not hold");
    }

    @Test
    void binaryIsGivenToVolumesAndRefusedToStorage() throws IOException {
        EtcdSecrets secrets = secrets(KEY);
        byte[] binary = {(byte) 0xff, 0, 1};
        secrets.put("default", "binary", Map.of("blob", binary));
        SecretRef reference = new SecretRef("default", "binary");
        assertThat(secrets.content(reference))
                .hasValueSatisfying(entries -> assertThat(entries.get("blob")).isEqualTo(binary));
        assertThatThrownBy(() -> secrets.resolve(reference)).hasMessageContaining("no text at the key blob");
    }

    @Test
    void configMapsStandBesideThemAndTokensAreRefused() {
        EtcdConfigs configs = new EtcdConfigs(etcd);
        assertThat(configs.configMap("default", "settings")).isEmpty();
        configs.put("default", "settings", Map.of("a.conf", "x=1".getBytes(UTF_8)));
        assertThat(configs.configMap("default", "settings"))
                .hasValueSatisfying(entries -> assertThat(entries.get("a.conf")).isEqualTo("x=1".getBytes(UTF_8)));
        assertThatThrownBy(() -> configs.token(new TokenRequest("default", "uid", "app", "", 600)))
                .hasMessageContaining("etcd issues none");
        assertThatThrownBy(() -> configs.put("default", "../objects", Map.of())).hasMessageContaining("no name");
    }

    private EtcdSecrets secrets(String key) throws IOException {
        return new EtcdSecrets(etcd, SealingKeys.read(TestKeyFile.write(folder.resolve("keys"), key)));
    }
}
