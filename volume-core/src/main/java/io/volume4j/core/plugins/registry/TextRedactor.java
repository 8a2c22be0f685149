package io.volume4j.core.plugins.registry;

import io.volume4j.core.redact.SecretMask;
import io.volume4j.spi.VolumeException;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Removes secret values from texts and exceptions; {@link SecretMask} defines what it finds. Immutable. */
final class TextRedactor {
    private static final TextRedactor NOTHING = new TextRedactor(SecretMask.of(Set.of()));

    private final SecretMask mask;

    private TextRedactor(SecretMask mask) {
        this.mask = mask;
    }

    /** A redactor for these values. */
    static TextRedactor of(Collection<String> values) {
        return values.isEmpty() ? NOTHING : new TextRedactor(SecretMask.of(values));
    }

    String without(String text) {
        return mask.hide(text);
    }

    /** The same failure if it contains no secret, otherwise an equal one without secrets. */
    VolumeException without(VolumeException failure) {
        return mask.isEmpty() || !tells(failure) ? failure : cleaned(failure, seen());
    }

    /** Whether an exception of any class, a cause or a suppressed exception of it contains a secret. */
    boolean discloses(Throwable failure) {
        return !mask.isEmpty() && tells(failure);
    }

    /** An exception without secrets that takes the place of one that {@linkplain #discloses discloses} one. */
    RuntimeException undisclosed(Throwable failure) {
        return undisclosed(failure, seen());
    }

    private boolean tells(Throwable failure) {
        return any(failure, seen(), this::tellsItself);
    }

    private boolean tellsItself(Throwable failure) {
        return tells(failure.toString())
                || tells(String.valueOf(failure.getMessage()))
                || (failure instanceof VolumeException classified
                        && (tells(classified.advice()) || tells(classified.holder())));
    }

    private boolean tells(String text) {
        return !without(text).equals(text);
    }

    private VolumeException cleaned(VolumeException failure, Set<Throwable> seen) {
        seen.add(failure);
        String message = without(failure.reason());
        VolumeException clean = failure.holder().isEmpty()
                ? VolumeException.of(failure.kind(), message)
                : VolumeException.dangling(message, without(failure.holder()));
        if (failure.provesAbsent()) {
            clean = clean.provingAbsence();
        }
        clean = clean.withAdvice(without(failure.advice()));
        Throwable cause = failure.getCause();
        return dressed(
                cause == null || seen.contains(cause) ? clean : clean.withCause(any(cause, seen)), failure, seen);
    }

    private RuntimeException undisclosed(Throwable failure, Set<Throwable> seen) {
        seen.add(failure);
        Throwable cause = failure.getCause();
        return dressed(
                new Undisclosed(
                        without(failure.toString()), cause == null || seen.contains(cause) ? null : any(cause, seen)),
                failure,
                seen);
    }

    private Throwable any(Throwable failure, Set<Throwable> seen) {
        return failure instanceof VolumeException classified ? cleaned(classified, seen) : undisclosed(failure, seen);
    }

    private <T extends Throwable> T dressed(T clean, Throwable original, Set<Throwable> seen) {
        clean.setStackTrace(original.getStackTrace());
        for (Throwable suppressed : original.getSuppressed()) {
            if (!seen.contains(suppressed)) {
                clean.addSuppressed(any(suppressed, seen));
            }
        }
        return clean;
    }

    /** Whether the test is true for the failure, or for a cause or suppressed exception of it. */
    private static boolean any(Throwable failure, Set<Throwable> seen, Function<Throwable, Boolean> test) {
        if (!seen.add(failure)) {
            return false;
        }
        if (test.apply(failure)) {
            return true;
        }
        for (Throwable suppressed : failure.getSuppressed()) {
            if (any(suppressed, seen, test)) {
                return true;
            }
        }
        return failure.getCause() != null && any(failure.getCause(), seen, test);
    }

    private static Set<Throwable> seen() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    /** Replaces an exception of any class that contained a secret. */
    private static final class Undisclosed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Undisclosed(String text, @Nullable Throwable cause) {
            super(text, cause);
        }
    }
}
