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

/** Kinds by kubectl's names: singular, plural and short. */
final class Kinds {
    private static final Map<Kind, String> SHORT = shortNames();

    private Kinds() {}

    private static Map<Kind, String> shortNames() {
        Map<Kind, String> names = new LinkedHashMap<>();
        names.put(Kind.PERSISTENT_VOLUME_CLAIM, "pvc");
        names.put(Kind.PERSISTENT_VOLUME, "pv");
        names.put(Kind.POD, "po");
        names.put(Kind.VOLUME_SNAPSHOT, "vs");
        names.put(Kind.VOLUME_SNAPSHOT_CONTENT, "vsc");
        names.put(Kind.VOLUME_SNAPSHOT_CLASS, "vsclass");
        names.put(Kind.STORAGE_CLASS, "sc");
        names.put(Kind.NODE, "no");
        names.put(Kind.EVENT, "ev");
        names.put(Kind.VOLUME_GROUP_SNAPSHOT, "vgs");
        names.put(Kind.VOLUME_GROUP_SNAPSHOT_CONTENT, "vgsc");
        names.put(Kind.VOLUME_GROUP_SNAPSHOT_CLASS, "vgsclass");
        names.put(Kind.VOLUME_ATTRIBUTES_CLASS, "vac");
        return names;
    }

    /** @throws TypeConversionException if no kind has that name; its message suggests the nearest name */
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

    /** The heading of a table, such as {@code persistent volume claims}. */
    static String title(Kind kind) {
        return plural(kind.apiName().replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT));
    }

    private static List<String> names(Kind kind) {
        String singular = kind.apiName().toLowerCase(Locale.ROOT);
        List<String> names = new ArrayList<>();
        String abbreviated = SHORT.get(kind);
        if (abbreviated != null) {
            names.add(abbreviated);
        }
        names.add(singular);
        names.add(plural(singular));
        return names;
    }

    private static String plural(String singular) {
        return singular.endsWith("s") ? singular + "es" : singular.replaceAll("y$", "ie") + "s";
    }

    /** Converts a word of the command line. */
    static final class Converter implements ITypeConverter<Kind> {
        @Override
        public Kind convert(String word) {
            return named(word);
        }
    }

    /** The candidates for shell completion. */
    static final class Candidates implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return SHORT.values().iterator();
        }
    }
}
