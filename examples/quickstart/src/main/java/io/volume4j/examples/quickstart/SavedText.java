package io.volume4j.examples.quickstart;

import io.volume4j.core.codec.ManifestException;
import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.model.ApiObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The objects of a saved cluster as text, one YAML document for each. Pure. */
final class SavedText {
    /** The written texts of an object are quoted and on one line, so that such a line stands between objects only. */
    private static final String BETWEEN = "---\n";

    private static final Pattern BOUNDARY = Pattern.compile("^" + BETWEEN, Pattern.MULTILINE);

    private SavedText() {}

    static String of(Collection<ApiObject> objects) {
        return objects.stream().map(Manifests::toYaml).collect(Collectors.joining(BETWEEN));
    }

    /**
     * The objects of a saved text. Reads them one by one, because {@link Manifests} limits what a user wrote in one text, and events
     * make a cluster larger than that.
     *
     * @param file the name of the text in errors
     * @throws ManifestException if it is damaged
     */
    static List<ApiObject> read(String file, String text) {
        List<ApiObject> objects = new ArrayList<>();
        int number = 0;
        for (String document : BOUNDARY.split(text)) {
            objects.addAll(Manifests.read(file + ", object " + ++number, document));
        }
        return objects;
    }

    /** @throws ClusterException if {@link #read} would refuse the object */
    static void requireReadable(ApiObject object) {
        try {
            Manifests.read("its text", Manifests.toYaml(object));
        } catch (ManifestException unreadable) {
            throw new ClusterException(
                    Reason.INVALID,
                    "save " + object.key() + ": a later run could not read it: " + unreadable.getMessage()
                            + "; nothing was changed. Make the object smaller or simpler");
        }
    }
}
