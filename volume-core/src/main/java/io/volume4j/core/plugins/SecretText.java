package io.volume4j.core.plugins;

import io.volume4j.spi.VolumeException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes secret values out of texts and out of exceptions, in the forms in which they are commonly repeated: as they are, line
 * by line, quoted, percent-encoded, in base64. Exact values are looked for, never what looks like one. A value of less than
 * four characters is taken out only where it stands by itself, or it would make every text unreadable. Immutable.
 */
final class SecretText {
    private static final String HIDDEN = "***";
    private static final SecretText NOTHING = new SecretText(Set.of());
    /** Shorter lines of a longer value are words like "END". */
    private static final int SHORTEST_LINE = 8;

    private static final int SHORT = 4;

    private static final Comparator<String> LONGEST_FIRST =
            Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder());

    private final Set<String> forms;

    private SecretText(Set<String> forms) {
        this.forms = forms;
    }

    /** That takes these values out. */
    static SecretText of(Collection<String> values) {
        if (values.isEmpty()) {
            return NOTHING;
        }
        Set<String> forms = new TreeSet<>(LONGEST_FIRST);
        for (String value : values) {
            if (!value.isBlank()) {
                add(value, forms);
                add(value.strip(), forms);
                value.lines()
                        .map(String::strip)
                        .filter(line -> line.length() >= SHORTEST_LINE)
                        .forEach(line -> add(line, forms));
            }
        }
        return new SecretText(forms);
    }

    String without(String text) {
        String clean = text;
        for (String form : forms) {
            clean = form.length() < SHORT ? withoutWord(clean, form) : clean.replace(form, HIDDEN);
        }
        return clean;
    }

    /** The same failure if it tells nothing, otherwise one of the same meaning that does not. */
    VolumeException without(VolumeException failure) {
        return forms.isEmpty() || !tells(failure) ? failure : cleaned(failure, seen());
    }

    RuntimeException without(RuntimeException failure) {
        return forms.isEmpty() || !tells(failure) ? failure : undisclosed(failure, seen());
    }

    /** An error that tells a secret comes out as an exception, which is all that anybody does with one. */
    RuntimeException without(Error failure) {
        if (forms.isEmpty() || !tells(failure)) {
            throw failure;
        }
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
        String message = without(failure.getMessage());
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

    /** Whether it holds for the failure or anything that it carries. */
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

    private static void add(String value, Set<String> forms) {
        forms.add(value);
        if (value.length() < SHORT) {
            return;
        }
        forms.add(value.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\n", "\\n")
                .replace("\r", "\\r")
                .replace("\t", "\\t"));
        forms.add(URLEncoder.encode(value, StandardCharsets.UTF_8));
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        forms.add(Base64.getEncoder().withoutPadding().encodeToString(bytes));
        forms.add(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    private static String withoutWord(String text, String word) {
        StringBuilder clean = new StringBuilder(text.length());
        int from = 0;
        for (int at = text.indexOf(word); at >= 0; at = text.indexOf(word, from)) {
            int end = at + word.length();
            boolean alone = (at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1)))
                    && (end == text.length() || !Character.isLetterOrDigit(text.charAt(end)));
            clean.append(text, from, at).append(alone ? HIDDEN : word);
            from = end;
        }
        return clean.append(text, from, text.length()).toString();
    }

    /** Stands for an exception of any class that told a secret. */
    private static final class Undisclosed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Undisclosed(String text, @Nullable Throwable cause) {
            super(text, cause);
        }
    }
}
