package io.volume4j.examples.quickstart;

import io.volume4j.examples.commandline.Nearest;
import io.volume4j.spi.model.Kind;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Kinds by the names that kubectl has for them: singular, plural and short. */
final class Kinds {
    private static final Map<Kind, List<String>> SHORT = shortNames();

    private Kinds() {}

    private static Map<Kind, List<String>> shortNames() {
        Map<Kind, List<String>> names = new LinkedHashMap<>();
        names.put(Kind.PERSISTENT_VOLUME_CLAIM, List.of("pvc"));
        names.put(Kind.PERSISTENT_VOLUME, List.of("pv"));
        names.put(Kind.POD, List.of("po"));
        names.put(Kind.VOLUME_SNAPSHOT, List.of("vs"));
        names.put(Kind.VOLUME_SNAPSHOT_CONTENT, List.of("vsc"));
        names.put(Kind.VOLUME_SNAPSHOT_CLASS, List.of("vsclass"));
        names.put(Kind.STORAGE_CLASS, List.of("sc"));
        names.put(Kind.NODE, List.of("no"));
        names.put(Kind.EVENT, List.of("ev"));
        names.put(Kind.VOLUME_GROUP_SNAPSHOT, List.of("vgs"));
        names.put(Kind.VOLUME_GROUP_SNAPSHOT_CONTENT, List.of("vgsc"));
        names.put(Kind.VOLUME_GROUP_SNAPSHOT_CLASS, List.of("vgsclass"));
        names.put(Kind.VOLUME_ATTRIBUTES_CLASS, List.of("vac"));
        return names;
    }

    /** @throws TypeConversionException if no kind has that name, with the nearest that there is */
    static Kind named(String word) {
        String wanted = word.toLowerCase(Locale.ROOT);
        List<String> known = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            if (names(kind).contains(wanted)) {
                return kind;
            }
            known.addAll(names(kind));
        }
        throw new TypeConversionException("there is no kind " + word
                + Nearest.to(wanted, known)
                        .map(each -> "; did you mean " + each + "?")
                        .orElse("; try pvc, pv, pod or vs"));
    }

    /** In words, for the heading of a table: {@code persistent volume claims}. */
    static String title(Kind kind) {
        return plural(kind.apiName().replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT));
    }

    private static List<String> names(Kind kind) {
        String singular = kind.apiName().toLowerCase(Locale.ROOT);
        List<String> names = new ArrayList<>(SHORT.getOrDefault(kind, List.of()));
        names.add(singular);
        names.add(plural(singular));
        return names;
    }

    private static String plural(String singular) {
        return singular.endsWith("s") ? singular + "es" : singular.replaceAll("y$", "ie") + "s";
    }

    /** For the command line. */
    static final class Converter implements ITypeConverter<Kind> {
        @Override
        public Kind convert(String word) {
            return named(word);
        }
    }

    /** What completion offers. */
    static final class Candidates implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return SHORT.keySet().stream()
                    .map(kind -> kind == Kind.POD ? "pod" : SHORT.get(kind).get(0))
                    .iterator();
        }
    }
}
