package io.volume4j.examples.quickstart;

import io.volume4j.examples.commandline.ConfigManifest;
import io.volume4j.examples.commandline.Usage;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ConfigResolver;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.host.SecretValues;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.SecretRef;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * ConfigMaps and Secrets from the manifests, and random tokens. The library has no records for them: it asks the host when a volume
 * needs one. They stay in memory, because secrets do not belong in the file that has the cluster. Thread-safe.
 */
final class Configs implements ConfigResolver, SecretResolver {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final InstantSource clock;
    private final Map<String, Map<String, byte[]>> maps = new ConcurrentHashMap<>();
    private final Map<SecretRef, Map<String, byte[]>> secrets = new ConcurrentHashMap<>();
    private final List<BiConsumer<String, String>> ofMaps = new CopyOnWriteArrayList<>();
    private final List<Consumer<SecretRef>> ofSecrets = new CopyOnWriteArrayList<>();

    Configs(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Stores the object if it is a ConfigMap or a Secret. True if it is.
     *
     * @throws Usage if it is one and is not valid; the message contains no value
     */
    boolean take(Map<String, @Nullable Object> tree) {
        Optional<ConfigManifest> read = ConfigManifest.of(tree);
        read.ifPresent(this::keep);
        return read.isPresent();
    }

    private void keep(ConfigManifest config) {
        if (config.secret()) {
            SecretRef secret = new SecretRef(config.namespace(), config.name());
            secrets.put(secret, config.entries());
            ofSecrets.forEach(listener -> listener.accept(secret));
        } else {
            maps.put(config.namespace() + "/" + config.name(), config.entries());
            ofMaps.forEach(listener -> listener.accept(config.namespace(), config.name()));
        }
    }

    @Override
    public Optional<Map<String, byte[]>> configMap(String namespace, String name) {
        return Optional.ofNullable(maps.get(namespace + "/" + name)).map(TreeMap::new);
    }

    @Override
    public boolean tellChanges(BiConsumer<String, String> listener) {
        ofMaps.add(listener);
        return true;
    }

    /** A random token. No server accepts it, because this orchestrator has none. */
    @Override
    public Token token(TokenRequest request) {
        byte[] value = new byte[24];
        RANDOM.nextBytes(value);
        return new Token(HexFormat.of().formatHex(value), clock.instant().plusSeconds(request.seconds()));
    }

    @Override
    public SecretValues resolve(SecretRef reference) {
        Map<String, byte[]> entries = secrets.get(reference);
        if (entries == null) {
            throw VolumeException.transientFailure("there is no secret " + OneLine.name(reference.namespace()) + "/"
                            + OneLine.name(reference.name()))
                    .withAdvice("apply a manifest of kind Secret with that name, or correct the reference to it");
        }
        Map<String, String> values = new TreeMap<>();
        entries.forEach((key, value) -> values.put(key, new String(value, StandardCharsets.UTF_8)));
        return new SecretValues(values);
    }

    @Override
    public Optional<Map<String, byte[]>> content(SecretRef reference) {
        return Optional.ofNullable(secrets.get(reference)).map(TreeMap::new);
    }

    @Override
    public boolean tellChanges(Consumer<SecretRef> listener) {
        ofSecrets.add(listener);
        return true;
    }
}
