package io.volume4j.core.plugins.content;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ConfigResolver;
import io.volume4j.spi.host.ConfigResolver.Token;
import io.volume4j.spi.host.ConfigResolver.TokenRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of one set-up. The plugin renews a token after four fifths of its life, or after a day if that is sooner.
 * If the renewal fails, the old token stays in use until it expires. Not thread-safe.
 */
final class ServiceAccountTokens {
    private static final String KEY = "token ";
    private static final Duration LONGEST_USE = Duration.ofHours(24);
    private static final int LONGEST_TOKEN = 1 << 20;

    private final ConfigResolver source;
    private final Renewals renewals;

    ServiceAccountTokens(ConfigResolver source, Renewals renewals) {
        this.source = source;
        this.renewals = renewals;
    }

    /** The token for the path: the existing one if it is still good, or a new one. */
    byte[] token(String path, TokenRequest request) {
        Instant now = renewals.now();
        Known known = Known.parse(renewals.before(KEY + path));
        byte[] there = known != null && known.answers(request) && known.mayLive(now)
                ? renewals.file(path).orElse(null)
                : null;
        if (known != null && there != null && known.serves(now)) {
            remember(path, known, known.renewal());
            return there;
        }
        Token token;
        try {
            token = source.token(request);
        } catch (VolumeException e) {
            if (known == null || there == null) {
                throw e;
            }
            remember(path, known, now.plus(Renewals.AGAIN_AFTER_FAILURE));
            return there;
        }
        byte[] value = token.value().getBytes(StandardCharsets.UTF_8);
        if (value.length == 0 || value.length > LONGEST_TOKEN) {
            throw VolumeException.transientFailure("the token for service account " + request.namespace() + "/"
                    + request.serviceAccount() + " has " + value.length + " bytes");
        }
        Known fresh = new Known(now, token.expires(), Known.of(request), request.seconds());
        remember(path, fresh, fresh.renewal());
        return value;
    }

    private void remember(String path, Known known, Instant due) {
        renewals.remember(KEY + path, known.toString(), due);
    }

    /**
     * The stored data of a token, without the token. Its end comes from another machine's clock, which may differ from
     * this one by any amount. So the plugin never uses a token longer than the requested life.
     */
    private record Known(Instant issued, Instant expires, String request, long seconds) {
        static String of(TokenRequest request) {
            return request.serviceAccount() + " " + request.seconds() + " " + request.audience();
        }

        static @Nullable Known parse(String text) {
            String[] parts = text.split(" ", 3);
            try {
                return parts.length < 3
                        ? null
                        : new Known(
                                Instant.ofEpochSecond(Long.parseLong(parts[0])),
                                Instant.ofEpochSecond(Long.parseLong(parts[1])),
                                parts[2],
                                Long.parseLong(parts[2].split(" ", 3)[1]));
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                return null;
            }
        }

        boolean answers(TokenRequest wanted) {
            return request.equals(of(wanted));
        }

        /** Whether the token may still be valid, by either clock that is consistent. */
        boolean mayLive(Instant now) {
            return now.isBefore(expires) || (!issued.isBefore(expires) && serves(now));
        }

        /**
         * Whether the token is not due yet. If its time of issue is in the future, this clock was set back, and the
         * age is unknown.
         */
        boolean serves(Instant now) {
            return !now.isBefore(issued) && now.isBefore(renewal());
        }

        Instant renewal() {
            Duration asked = Duration.ofSeconds(seconds);
            Duration told = Duration.between(issued, expires);
            Duration life = told.compareTo(Duration.ZERO) > 0 && told.compareTo(asked) < 0 ? told : asked;
            Duration use = life.multipliedBy(4).dividedBy(5);
            return issued.plus(use.compareTo(LONGEST_USE) < 0 ? use : LONGEST_USE);
        }

        @Override
        public String toString() {
            return issued.getEpochSecond() + " " + expires.getEpochSecond() + " " + request;
        }
    }
}
