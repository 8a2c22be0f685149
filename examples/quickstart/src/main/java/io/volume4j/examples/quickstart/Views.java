package io.volume4j.examples.quickstart;

import io.volume4j.core.codec.Manifests;
import io.volume4j.examples.commandline.Nearest;
import io.volume4j.examples.commandline.Usage;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Event;
import io.volume4j.spi.model.Kind;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The output of {@code get} and {@code describe}, for a running and for a saved cluster. */
final class Views {
    private Views() {}

    /** Prints all objects, or the object with that name. Returns the exit code. */
    static int get(Kind kind, List<ApiObject> objects, @Nullable String name, Instant now, PrintStream out) {
        List<ApiObject> shown = name == null ? objects : List.of(one(objects, kind, name));
        String table = Listings.table(kind, shown, now);
        out.print(table.isEmpty() ? "there are no " + Kinds.title(kind) + "\n" : table);
        return 0;
    }

    /** @throws Usage if no object has that name; its message suggests the nearest name */
    static ApiObject one(List<ApiObject> objects, Kind kind, String name) {
        for (ApiObject object : objects) {
            if (object.metadata().name().equals(name)) {
                return object;
            }
        }
        List<String> names =
                objects.stream().map(object -> object.metadata().name()).toList();
        throw new Usage("there is no " + kind.apiName() + " " + name
                + Nearest.to(name, names)
                        .map(each -> "; did you mean " + each + "?")
                        .orElse(""));
    }

    /** The object as a manifest, and its events. */
    static String describe(ApiObject object, List<ApiObject> events, Instant now) {
        List<Event> own = events.stream()
                .filter(Event.class::isInstance)
                .map(Event.class::cast)
                .filter(event ->
                        event.regarding().name().equals(object.metadata().name())
                                && event.regarding().kind().equals(object.kind().apiName()))
                .toList();
        String told = own.isEmpty() ? "none\n" : "\n" + Listings.table(Kind.EVENT, own, now);
        return Manifests.toYaml(object) + "events: " + told;
    }
}
