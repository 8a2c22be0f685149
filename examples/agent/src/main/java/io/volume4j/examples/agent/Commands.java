package io.volume4j.examples.agent;

import io.volume4j.core.codec.Manifests;
import io.volume4j.examples.agent.cluster.HostCluster;
import io.volume4j.examples.agent.http.ApiPath;
import io.volume4j.examples.commandline.TextFile;
import io.volume4j.examples.commandline.Usage;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Manual commands for the API server, with the same adapter. */
final class Commands {
    private Commands() {}

    /** Creates missing objects; in existing ones, changes the fields that the manifests set to other values. */
    static void apply(HostCluster cluster, Path file, PrintStream out) {
        for (ApiObject object : read(file, cluster, out)) {
            try {
                cluster.create(object);
                out.println(object.key() + " created");
            } catch (ClusterException there) {
                if (there.reason() != Reason.ALREADY_EXISTS) {
                    throw there;
                }
                List<Patch.FieldChange> changes = new ArrayList<>();
                collect(List.of(), Manifests.toTree(object), changes);
                cluster.patch(object.key(), new Patch(Preconditions.none(), false, changes));
                out.println(object.key() + " applied");
            }
        }
    }

    /** Changes single fields, so that other fields stay. A user does not write the status. */
    private static void collect(List<String> path, Map<?, ?> fields, List<Patch.FieldChange> changes) {
        fields.forEach((name, value) -> {
            List<String> deeper = new ArrayList<>(path);
            deeper.add(String.valueOf(name));
            if (value instanceof Map<?, ?> inner) {
                collect(deeper, inner, changes);
            } else if (value != null && isPersons(deeper)) {
                changes.add(new Patch.FieldChange(deeper, value));
            }
        });
    }

    private static boolean isPersons(List<String> path) {
        return switch (path.get(0)) {
            case "apiVersion", "kind", "status" -> false;
            case "metadata" -> !List.of("name", "namespace").contains(path.get(1));
            default -> true;
        };
    }

    /** Objects without a record of the library go directly to the cluster, if it stores such objects. */
    private static List<ApiObject> read(Path file, HostCluster cluster, PrintStream out) {
        List<String> kept = new ArrayList<>();
        List<ApiObject> objects = Manifests.read(file.toString(), TextFile.read("-f", file), tree -> {
            Optional<String> stored = cluster.store(tree);
            stored.ifPresent(what -> {
                kept.add(what);
                out.println(what + " stored");
            });
            return stored.isPresent();
        });
        if (objects.isEmpty() && kept.isEmpty()) {
            throw new Usage("-f: there is no object in " + file);
        }
        return objects;
    }

    static void get(HostCluster cluster, String kind, PrintStream out) {
        String between = "";
        for (ApiObject object : cluster.list(kind(kind), Selection.all()).objects()) {
            out.print(between + Manifests.toYaml(object));
            between = "---\n";
        }
    }

    static void delete(HostCluster cluster, String kind, String name, PrintStream out) {
        int slash = name.indexOf('/');
        if (slash == 0 || slash == name.length() - 1 || name.isEmpty() || name.indexOf('/', slash + 1) > slash) {
            throw new Usage("the object is NAME or NAMESPACE/NAME, not \"" + name + "\"");
        }
        ObjectKey key =
                new ObjectKey(kind(kind), slash < 0 ? "default" : name.substring(0, slash), name.substring(slash + 1));
        cluster.delete(key, Preconditions.none());
        out.println(key + " deleted");
    }

    /** {@code Pod}, {@code pod} or {@code pods}. */
    private static Kind kind(String word) {
        for (Kind kind : Kind.values()) {
            if (word.equalsIgnoreCase(kind.apiName()) || word.equalsIgnoreCase(ApiPath.plural(kind))) {
                return kind;
            }
        }
        List<String> known = Arrays.stream(Kind.values())
                .map(ApiPath::plural)
                .map(plural -> plural.toLowerCase(Locale.ROOT))
                .toList();
        throw new Usage("there is no kind " + word + "; there are " + String.join(", ", known));
    }
}
