package io.volume4j.inmemory.host;

import io.volume4j.spi.host.ConfigResolver;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

/**
 * Config maps and tokens of a test. Tokens are numbered. Thread-safe.
 *
 * @since 0.1.0
 */
public final class InMemoryConfig implements ConfigResolver {
    private final InstantSource clock;
    private final Map<String, Map<String, byte[]>> configMaps = new LinkedHashMap<>();
    private final List<TokenRequest> tokens = new ArrayList<>();
    private final List<BiConsumer<String, String>> listeners = new CopyOnWriteArrayList<>();

    public InMemoryConfig(InstantSource clock) {
        this.clock = clock;
    }

    /** Adds the config map or replaces it. */
    public void put(String namespace, String name, Map<String, byte[]> entries) {
        synchronized (this) {
            configMaps.put(namespace + "/" + name, copy(entries));
        }
        listeners.forEach(listener -> listener.accept(namespace, name));
    }

    public void remove(String namespace, String name) {
        synchronized (this) {
            configMaps.remove(namespace + "/" + name);
        }
        listeners.forEach(listener -> listener.accept(namespace, name));
    }

    @Override
    public boolean tellChanges(BiConsumer<String, String> listener) {
        listeners.add(listener);
        return true;
    }

    @Override
    public synchronized Optional<Map<String, byte[]>> configMap(String namespace, String name) {
        return Optional.ofNullable(configMaps.get(namespace + "/" + name)).map(InMemoryConfig::copy);
    }

    @Override
    public synchronized Token token(TokenRequest request) {
        tokens.add(request);
        return new Token(
                "token-" + tokens.size() + "-" + request.serviceAccount(),
                clock.instant().plus(Duration.ofSeconds(request.seconds())));
    }

    /** The requests for tokens, in order. */
    public synchronized List<TokenRequest> tokenRequests() {
        return List.copyOf(tokens);
    }

    private static Map<String, byte[]> copy(Map<String, byte[]> entries) {
        Map<String, byte[]> copy = new TreeMap<>();
        entries.forEach((name, content) -> copy.put(name, content.clone()));
        return Collections.unmodifiableMap(copy);
    }
}
