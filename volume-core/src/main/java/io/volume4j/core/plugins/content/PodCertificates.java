package io.volume4j.core.plugins.content;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.CertificateResolver;
import io.volume4j.spi.host.CertificateResolver.CertificateRequest;
import io.volume4j.spi.host.CertificateResolver.Credential;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The keys and certificates of one set-up. The plugin renews a certificate at the time that its issuer sets, or after
 * four fifths of its life. If the renewal fails, the old one stays in use until it expires. The plugin stores only
 * times and a digest of the request. The key is only in the volume's memory. Not thread-safe.
 */
final class PodCertificates {
    private static final String KEY = "certificate ";
    private static final int LONGEST_FILE = 1 << 20;

    private final CertificateResolver source;
    private final Renewals renewals;

    PodCertificates(CertificateResolver source, Renewals renewals) {
        this.source = source;
        this.renewals = renewals;
    }

    /**
     * The files of the projection by path. All belong to one credential: the existing one if it is still good, or a
     * new one.
     */
    SortedMap<String, byte[]> files(CertificateFields fields) {
        Instant now = renewals.now();
        String key = KEY
                + TrustBundles.sha256(fields.paths().toString().getBytes(StandardCharsets.UTF_8))
                        .substring(0, 16);
        String request = digest(fields.request());
        Known known = Known.parse(renewals.before(key));
        Optional<SortedMap<String, byte[]>> there =
                known != null && known.request().equals(request) && known.mayLive(now)
                        ? there(fields)
                        : Optional.empty();
        if (known != null && there.isPresent() && known.serves(now)) {
            renewals.remember(key, known.toString(), known.renewal());
            return there.get();
        }
        try {
            Credential credential = source.podCertificate(fields.request());
            X509Certificate leaf = IssuedCredential.leaf(fields.request(), credential);
            Known fresh = Known.issued(now, leaf, credential.beginRefreshAt(), fields.request(), request);
            SortedMap<String, byte[]> files = new TreeMap<>();
            fields.paths()
                    .forEach((field, path) -> add(fields, files, path, CertificateFields.content(field, credential)));
            renewals.remember(key, fresh.toString(), fresh.renewal());
            return files;
        } catch (VolumeException e) {
            if (known == null || there.isEmpty()) {
                throw e;
            }
            renewals.remember(key, known.toString(), now.plus(Renewals.AGAIN_AFTER_FAILURE));
            return there.get();
        }
    }

    private static void add(CertificateFields fields, SortedMap<String, byte[]> files, String path, byte[] content) {
        if (content.length > LONGEST_FILE) {
            throw VolumeException.transientFailure("the certificates that signer "
                    + fields.request().signerName() + " issued have " + content.length + " bytes");
        }
        files.put(path, content);
    }

    private Optional<SortedMap<String, byte[]>> there(CertificateFields fields) {
        SortedMap<String, byte[]> files = new TreeMap<>();
        for (String path : fields.paths().values()) {
            Optional<byte[]> file = renewals.file(path);
            if (file.isEmpty()) {
                return Optional.empty();
            }
            files.put(path, file.get());
        }
        return Optional.of(files);
    }

    private static String digest(CertificateRequest request) {
        StringBuilder text = new StringBuilder();
        List<String> parts = List.of(
                request.serviceAccount(),
                request.signerName(),
                request.keyType().name(),
                String.valueOf(request.maxExpirationSeconds()));
        parts.forEach(part -> text.append(part.length()).append(':').append(part));
        for (Map.Entry<String, String> each : new TreeMap<>(request.userAnnotations()).entrySet()) {
            text.append(each.getKey().length()).append(':').append(each.getKey());
            text.append(each.getValue().length()).append(':').append(each.getValue());
        }
        return TrustBundles.sha256(text.toString().getBytes(StandardCharsets.UTF_8))
                .substring(0, 32);
    }

    /**
     * The stored data of a certificate, without the certificate. Its times come from another machine's clock. So the
     * plugin never uses a certificate longer than the requested life, and if its times contradict this clock, it uses
     * the requested life.
     */
    private record Known(Instant issued, Instant expires, Instant renewal, String request) {
        static Known issued(
                Instant now,
                X509Certificate leaf,
                @Nullable Instant wanted,
                CertificateRequest request,
                String digest) {
            Instant expires = leaf.getNotAfter().toInstant();
            Duration asked = Duration.ofSeconds(request.maxExpirationSeconds());
            Duration told = Duration.between(now, expires);
            Duration life = told.compareTo(Duration.ZERO) > 0 && told.compareTo(asked) < 0 ? told : asked;
            Instant renewal = wanted != null && wanted.isAfter(now) && wanted.isBefore(now.plus(life))
                    ? wanted
                    : now.plus(life.multipliedBy(4).dividedBy(5));
            return new Known(now, expires, renewal, digest);
        }

        static @Nullable Known parse(String text) {
            String[] parts = text.split(" ", 4);
            try {
                return parts.length < 4
                        ? null
                        : new Known(
                                Instant.ofEpochSecond(Long.parseLong(parts[0])),
                                Instant.ofEpochSecond(Long.parseLong(parts[1])),
                                Instant.ofEpochSecond(Long.parseLong(parts[2])),
                                parts[3]);
            } catch (NumberFormatException e) {
                return null;
            }
        }

        /** Whether the certificate may still be valid, by either clock that is consistent. */
        boolean mayLive(Instant now) {
            return now.isBefore(expires) || (!issued.isBefore(expires) && serves(now));
        }

        /**
         * Whether the certificate is not due yet. If its time of issue is in the future, this clock was set back, and
         * the age is unknown.
         */
        boolean serves(Instant now) {
            return !now.isBefore(issued) && now.isBefore(renewal);
        }

        @Override
        public String toString() {
            return issued.getEpochSecond() + " " + expires.getEpochSecond() + " " + renewal.getEpochSecond() + " "
                    + request;
        }
    }
}
