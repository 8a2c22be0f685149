package io.volume4j.examples.etcd;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.host.SecretValues;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.SecretRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads and stores secrets in etcd, encrypted with keys that etcd never gets. Reads a secret when a call needs it, and never caches
 * it, logs it or repeats it in an error. Thread-safe; calls block.
 */
public final class EtcdSecrets implements SecretResolver {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TypeReference<TreeMap<String, byte[]>> ENTRIES = new TypeReference<>() {};

    private final EtcdClient etcd;
    private final SealingKeys keys;

    /** The caller must close the client. */
    public EtcdSecrets(EtcdClient etcd, SealingKeys keys) {
        this.etcd = etcd;
        this.keys = keys;
    }

    @Override
    public SecretValues resolve(SecretRef reference) {
        Map<String, byte[]> content = content(reference)
                .orElseThrow(
                        () -> VolumeException.transientFailure(said(reference) + " does not exist in etcd")
                                .withAdvice(
                                        "create it: agent apply FILE --etcd URL --secrets-key FILE, with a manifest of kind Secret"));
        Map<String, String> values = new TreeMap<>();
        content.forEach((key, value) -> values.put(key, text(reference, key, value)));
        return new SecretValues(values);
    }

    @Override
    public Optional<Map<String, byte[]>> content(SecretRef reference) {
        ByteSequence key = etcd.keys().ofSecret(reference.namespace(), reference.name());
        Optional<KeyValue> entry;
        try {
            entry = etcd
                    .await(
                            "read " + said(reference),
                            etcd.client().getKVClient().get(key))
                    .getKvs()
                    .stream()
                    .findFirst();
        } catch (ClusterException failed) {
            throw VolumeException.transientFailure(failed.getMessage());
        }
        return entry.map(found -> opened(reference, key, found.getValue().getBytes()));
    }

    private Map<String, byte[]> opened(SecretRef reference, ByteSequence key, byte[] sealed) {
        try {
            return JSON.readValue(keys.open(key.getBytes(), sealed), ENTRIES);
        } catch (IllegalArgumentException closed) {
            throw VolumeException.transientFailure(
                            "cannot decrypt " + said(reference) + " from etcd: " + closed.getMessage())
                    .withAdvice("check the key file of this process");
        } catch (IOException noEntries) {
            // without the cause, because its message repeats the content
            throw VolumeException.transientFailure(said(reference) + " in etcd holds no entries that can be read")
                    .withAdvice(
                            "write it anew: agent apply FILE --etcd URL --secrets-key FILE, with a manifest of kind Secret");
        }
    }

    /**
     * Stores a secret, and replaces an existing secret with that name.
     *
     * @throws ClusterException if etcd refuses the write or does not answer
     * @throws IllegalArgumentException if namespace or name cannot be part of a key
     */
    public void put(String namespace, String name, Map<String, byte[]> entries) {
        requireName(namespace);
        requireName(name);
        ByteSequence key = etcd.keys().ofSecret(namespace, name);
        try {
            byte[] sealed = keys.seal(key.getBytes(), JSON.writeValueAsBytes(new TreeMap<>(entries)));
            etcd.await(
                    "write secret " + namespace + "/" + name,
                    etcd.client().getKVClient().put(key, ByteSequence.from(sealed)));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** Removes a secret. True if it existed. */
    public boolean delete(String namespace, String name) {
        return etcd.await(
                                "delete secret " + namespace + "/" + name,
                                etcd.client().getKVClient().delete(etcd.keys().ofSecret(namespace, name)))
                        .getDeleted()
                > 0;
    }

    static void requireName(String word) {
        if (word.isEmpty() || word.contains("/")) {
            throw new IllegalArgumentException("\"" + word + "\" is no name: it must not be empty nor hold a slash");
        }
    }

    private static String text(SecretRef reference, String key, byte[] value) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(value))
                    .toString();
        } catch (CharacterCodingException binary) {
            throw VolumeException.transientFailure(
                            said(reference) + " holds no text at the key " + key + ", as storage expects")
                    .withAdvice("see what it was created from");
        }
    }

    private static String said(SecretRef reference) {
        return "secret " + OneLine.name(reference.namespace()) + "/" + OneLine.name(reference.name());
    }
}
