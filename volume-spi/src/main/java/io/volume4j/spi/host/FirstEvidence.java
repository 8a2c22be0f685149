package io.volume4j.spi.host;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks several authorities in order, until one has evidence. */
record FirstEvidence(List<FencingAuthority> authorities) implements FencingAuthority {
    FirstEvidence {
        authorities = List.copyOf(authorities);
    }

    @Override
    public Optional<Fence> fence(String nodeName, CallContext context) {
        @Nullable RuntimeException failure = null;
        for (FencingAuthority authority : authorities) {
            try {
                Optional<Fence> evidence = authority.fence(nodeName, context);
                if (evidence.isPresent()) {
                    return evidence;
                }
            } catch (Throwable e) {
                failure = failure == null ? unchecked(authority, e) : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return Optional.empty();
    }

    /** Code of another language may throw checked exceptions, too. */
    private static RuntimeException unchecked(FencingAuthority authority, Throwable failure) {
        return failure instanceof RuntimeException already
                ? already
                : VolumeException.uncertain(authority.getClass().getName() + " failed: " + failure)
                        .withCause(failure);
    }
}
