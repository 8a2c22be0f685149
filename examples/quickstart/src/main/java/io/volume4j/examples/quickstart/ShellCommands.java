package io.volume4j.examples.quickstart;

import io.volume4j.examples.commandline.Usage;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands of the shell. */
@Command(
        name = "",
        subcommands = HelpCommand.class,
        customSynopsis = "COMMAND [ARGUMENT]...; help COMMAND tells more",
        description = "Commands, one on each line.")
final class ShellCommands implements AutoCloseable {
    private final Session session;
    private final PrintStream out;
    private final InstantSource clock = InstantSource.system();
    private final Map<Kind, ClusterSource.Watch> watches = new EnumMap<>(Kind.class);
    private boolean ended;
    private boolean keeps;

    ShellCommands(Session session, PrintStream out) {
        this.session = session;
        this.out = out;
    }

    /** Whether the user ended the shell. */
    boolean ended() {
        return ended;
    }

    /** Whether volumes and objects stay for the next start. */
    boolean keeps() {
        return keeps;
    }

    private List<ApiObject> all(Kind kind) {
        return session.cluster().all(kind, ApiObject.class);
    }

    @Command(name = "get", mixinStandardHelpOptions = true, description = "Shows the objects of a kind.")
    int get(
            @Parameters(
                            index = "0",
                            paramLabel = "KIND",
                            converter = Kinds.Converter.class,
                            completionCandidates = Kinds.Candidates.class,
                            description = "${COMPLETION-CANDIDATES}, or the long names")
                    Kind kind,
            @Parameters(index = "1", arity = "0..1", paramLabel = "NAME") @Nullable String name) {
        return Views.get(kind, all(kind), name, clock.instant(), out);
    }

    @Command(
            name = "describe",
            mixinStandardHelpOptions = true,
            description = "Shows one object, its events, and the explanation of its state.")
    int describe(
            @Parameters(index = "0", paramLabel = "KIND", converter = Kinds.Converter.class) Kind kind,
            @Parameters(index = "1", paramLabel = "NAME") String name) {
        ApiObject object = Views.one(all(kind), kind, name);
        out.print(Views.describe(object, all(Kind.EVENT), clock.instant()));
        return explain(kind, name);
    }

    @Command(
            name = "explain",
            mixinStandardHelpOptions = true,
            description = "Explains the state of an object, the next steps, and when they come.")
    int explain(
            @Parameters(index = "0", paramLabel = "KIND", converter = Kinds.Converter.class) Kind kind,
            @Parameters(index = "1", paramLabel = "NAME") String name) {
        out.println(session.why(Views.one(all(kind), kind, name)).strip());
        return 0;
    }

    @Command(
            name = "watch",
            mixinStandardHelpOptions = true,
            description = "Shows each object of a kind whenever it changes, while you can enter commands.")
    int watch(
            @Parameters(index = "0", paramLabel = "KIND", converter = Kinds.Converter.class) Kind kind,
            @Option(names = "--stop", description = "no longer") boolean stop) {
        ClusterSource.Watch before = watches.remove(kind);
        if (before != null) {
            before.close();
        }
        if (!stop) {
            out.print(Listings.table(kind, all(kind), clock.instant()));
            ClusterSource.Listing listing = session.cluster().list(kind, Selection.all());
            watches.put(
                    kind,
                    session.cluster().watch(kind, Selection.all(), listing.revision(), event -> show(kind, event)));
        }
        return 0;
    }

    private void show(Kind kind, WatchEvent event) {
        if (event.object() != null) {
            String change = event.type() == WatchEvent.Type.DELETED ? "gone:    " : "changed: ";
            String table = Listings.table(kind, List.of(event.requireObject()), clock.instant());
            out.print(change + table.substring(table.indexOf('\n') + 1));
        }
    }

    @Command(
            name = "apply",
            mixinStandardHelpOptions = true,
            description = "Creates the objects of manifests, or changes existing ones.")
    int apply(@Option(names = "-f", required = true, paramLabel = "FILE") List<Path> files) {
        ManifestFiles.read(files, session.configs()::take).forEach(session::apply);
        return 0;
    }

    @Command(name = "delete", mixinStandardHelpOptions = true, description = "Has an object deleted.")
    int delete(
            @Parameters(index = "0", paramLabel = "KIND", converter = Kinds.Converter.class) Kind kind,
            @Parameters(index = "1", paramLabel = "NAME") String name) {
        ObjectKey key = Views.one(all(kind), kind, name).key();
        session.cluster().remove(key);
        out.println(key + " deleted");
        return 0;
    }

    @Command(
            name = "expand",
            mixinStandardHelpOptions = true,
            description = "Raises the requested size of a claim; its class must permit it.")
    int expand(
            @Parameters(index = "0", paramLabel = "CLAIM") String claim,
            @Parameters(index = "1", paramLabel = "SIZE", description = "such as 128Mi") String size) {
        ApiObject object = Views.one(all(Kind.PERSISTENT_VOLUME_CLAIM), Kind.PERSISTENT_VOLUME_CLAIM, claim);
        try {
            refuseLess(object, positive(Quantity.parse(size)));
            session.cluster()
                    .patch(
                            object.key(),
                            new Patch(
                                    Preconditions.of(object.metadata()),
                                    false,
                                    List.of(Patch.FieldChange.set(
                                            Quantity.parse(size).toString(),
                                            "spec",
                                            "resources",
                                            "requests",
                                            "storage"))));
        } catch (IllegalArgumentException noSize) {
            throw new Usage(size + " is no size such as 128Mi: " + noSize.getMessage());
        }
        out.println(object.key() + " asks for " + size);
        return 0;
    }

    private static Quantity positive(Quantity size) {
        if (size.compareTo(Quantity.ofBytes(0)) <= 0) {
            throw new IllegalArgumentException("it must be above zero");
        }
        return size;
    }

    /** As an API server does: a request may fall back to what there is, such as after an expansion that failed, but no further. */
    private static void refuseLess(ApiObject object, Quantity size) {
        if (object instanceof PersistentVolumeClaim claim
                && claim.status().capacity() != null
                && size.compareTo(claim.status().capacity()) < 0) {
            throw new Usage(object.key() + " has " + claim.status().capacity() + " and cannot shrink to " + size);
        }
    }

    @Command(
            name = "wait",
            mixinStandardHelpOptions = true,
            description =
                    "Waits until a pod is mounted, a claim is bound and as large as it asks for, a snapshot is ready, or a move has"
                            + " ended.")
    int waitFor(
            @Parameters(index = "0", paramLabel = "KIND", converter = Kinds.Converter.class) Kind kind,
            @Parameters(index = "1", paramLabel = "NAME") String name,
            @Option(names = "--gone", description = "until there is no such object") boolean gone) {
        if (!gone) {
            session.awaitWell(Views.one(all(kind), kind, name));
        } else {
            all(kind).stream()
                    .filter(object -> object.metadata().name().equals(name))
                    .forEach(session::awaitGone);
        }
        return 0;
    }

    @Command(
            name = "exit",
            mixinStandardHelpOptions = true,
            description = "Tears everything down and ends. The end of the input does the same.")
    int exit(
            @Option(
                            names = "--keep",
                            description = "leave everything as it is, for the next start with the same --root")
                    boolean keep) {
        if (keep && session.inMemory()) {
            throw new Usage("exit --keep: this machine is in memory and ends with the process");
        }
        ended = true;
        keeps = keep;
        return 0;
    }

    @Override
    public void close() {
        watches.values().forEach(ClusterSource.Watch::close);
    }
}
