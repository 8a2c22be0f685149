package io.volume4j.core.plugins.registry;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.CertificateResolver;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.host.SecretValues;
import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.SecretRef;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The secrets that running calls have read. Removes them from the failures of those calls. A value belongs to the call
 * on whose thread it was resolved, until that call ends. A value that a plugin resolves on its own thread belongs to
 * all calls that run at that moment. Thread-safe.
 */
public final class ActiveSecrets {
    @SuppressWarnings("ThreadLocalUsage") // the calls of one registry; taken back at the end of each
    private final ThreadLocal<@Nullable Scope> current = new ThreadLocal<>();

    private final Set<Scope> open = ConcurrentHashMap.newKeySet();

    /** The values that one call has read. */
    private static final class Scope {
        /** Replaced when the call reads more; nearly all calls read none. */
        private volatile Set<String> values = Set.of();

        synchronized void told(Collection<String> more) {
            Set<String> all = new LinkedHashSet<>(values);
            all.addAll(more);
            values = all;
        }
    }

    /** Records the values that the resolver returns. */
    SecretResolver watched(SecretResolver resolver) {
        return new SecretResolver() {
            @Override
            public SecretValues resolve(SecretRef reference) {
                SecretValues secret = resolver.resolve(reference);
                told(secret.values().values());
                return secret;
            }

            @Override
            public Optional<Map<String, byte[]>> content(SecretRef reference) {
                Optional<Map<String, byte[]>> content = resolver.content(reference);
                content.ifPresent(found -> {
                    List<String> texts = new ArrayList<>();
                    found.values().forEach(bytes -> texts.add(new String(bytes, StandardCharsets.UTF_8)));
                    told(texts);
                });
                return content;
            }

            @Override
            public boolean tellChanges(Consumer<SecretRef> listener) {
                return resolver.tellChanges(listener);
            }
        };
    }

    /**
     * Records the private keys that the resolver returns, also as single lines, because messages may contain only a
     * line.
     */
    CertificateResolver watched(CertificateResolver resolver) {
        return new CertificateResolver() {
            @Override
            public Optional<String> trustBundle(String name) {
                return resolver.trustBundle(name);
            }

            @Override
            public List<String> trustBundles(String signerName, LabelSelector selector) {
                return resolver.trustBundles(signerName, selector);
            }

            @Override
            public boolean tellChanges(Runnable listener) {
                return resolver.tellChanges(listener);
            }

            @Override
            public Credential podCertificate(CertificateRequest request) {
                Credential credential = resolver.podCertificate(request);
                List<String> texts = new ArrayList<>(List.of(credential.privateKey()));
                credential
                        .privateKey()
                        .lines()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty() && !line.startsWith("-----"))
                        .forEach(texts::add);
                told(texts);
                return credential;
            }
        };
    }

    /** Runs the call. Removes the values that it has read from its exception. */
    public <T extends @Nullable Object> T run(Supplier<T> call) {
        Scope before = current.get();
        Scope scope = new Scope();
        open.add(scope);
        current.set(scope);
        try {
            return call.get();
        } catch (VolumeException failure) {
            throw TextRedactor.of(scope.values).without(failure);
        } catch (Throwable unclassified) { // a plugin in another language throws checked exceptions, too
            TextRedactor redactor = TextRedactor.of(scope.values);
            if (redactor.discloses(unclassified)) {
                throw redactor.undisclosed(unclassified);
            }
            throw unclassified;
        } finally {
            if (before == null) {
                current.remove();
            } else {
                current.set(before);
            }
            open.remove(scope);
        }
    }

    /** The text without the values of this thread's call, or of all calls if the thread has none. */
    public String scrub(String text) {
        Scope own = current.get();
        if (own != null) {
            return TextRedactor.of(own.values).without(text);
        }
        List<String> values = new ArrayList<>();
        open.forEach(scope -> values.addAll(scope.values));
        return TextRedactor.of(values).without(text);
    }

    private void told(Collection<String> values) {
        Scope own = current.get();
        if (own != null) {
            own.told(values);
        } else {
            open.forEach(scope -> scope.told(values));
        }
    }
}
