package io.volume4j.examples.etcd;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.etcd.jetcd.ByteSequence;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ConfigResolver;
import io.volume4j.spi.model.OneLine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads and stores config maps in etcd. Does not encrypt them: they must not contain secrets. Thread-safe; calls block. */
public final class EtcdConfigs implements ConfigResolver {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TypeReference<TreeMap<String, byte[]>> ENTRIES = new TypeReference<>() {};

    private final EtcdClient etcd;

    /** The caller must close the client. */
    public EtcdConfigs(EtcdClient etcd) {
        this.etcd = etcd;
    }

    @Override
    public Optional<Map<String, byte[]>> configMap(String namespace, String name) {
        String what = "read config map " + namespace + "/" + OneLine.name(name);
        try {
            return etcd
                    .await(what, etcd.client().getKVClient().get(etcd.keys().ofConfigMap(namespace, name)))
                    .getKvs()
                    .stream()
                    .findFirst()
                    .map(found -> entries(what, found.getValue()));
        } catch (ClusterException failed) {
            throw VolumeException.transientFailure(failed.getMessage());
        }
    }

    private static Map<String, byte[]> entries(String what, ByteSequence value) {
        try {
            return JSON.readValue(value.getBytes(), ENTRIES);
        } catch (IOException noEntries) {
            throw VolumeException.transientFailure(what + ": etcd holds no entries there that can be read")
                    .withAdvice("write it anew");
        }
    }

    /**
     * Stores a config map, and replaces an existing config map with that name.
     *
     * @throws ClusterException if etcd refuses the write or does not answer
     * @throws IllegalArgumentException if namespace or name cannot be part of a key
     */
    public void put(String namespace, String name, Map<String, byte[]> entries) {
        EtcdSecrets.requireName(namespace);
        EtcdSecrets.requireName(name);
        try {
            etcd.await(
                    "write config map " + namespace + "/" + name,
                    etcd.client()
                            .getKVClient()
                            .put(
                                    etcd.keys().ofConfigMap(namespace, name),
                                    ByteSequence.from(JSON.writeValueAsBytes(new TreeMap<>(entries)))));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** @throws VolumeException always: etcd issues no tokens */
    @Override
    public Token token(TokenRequest request) {
        throw VolumeException.finalFailure("service account " + request.namespace() + "/" + request.serviceAccount()
                        + " gets no token: etcd issues none")
                .withAdvice("remove the token from the pod's volumes, or use a driver that needs none");
    }
}
