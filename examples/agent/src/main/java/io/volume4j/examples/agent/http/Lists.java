package io.volume4j.examples.agent.http;

import io.volume4j.spi.host.ClusterSource.Listing;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lists whole collections, page by page. Thread-safe. */
final class Lists {
    /** The revision before every object. */
    private static final String BEGINNING = "0";

    /** Optional kinds: resources that drivers install, or that newer servers have. */
    private static final Set<Kind> OPTIONAL = Collections.unmodifiableSet(EnumSet.of(
            Kind.VOLUME_POPULATOR,
            Kind.REFERENCE_GRANT,
            Kind.VOLUME_ATTRIBUTES_CLASS,
            Kind.VOLUME_SNAPSHOT,
            Kind.VOLUME_SNAPSHOT_CONTENT,
            Kind.VOLUME_SNAPSHOT_CLASS,
            Kind.VOLUME_GROUP_SNAPSHOT,
            Kind.VOLUME_GROUP_SNAPSHOT_CONTENT,
            Kind.VOLUME_GROUP_SNAPSHOT_CLASS,
            Kind.VOLUME_MOVE));

    private final ApiServer server;
    private final int page;
    private final Set<Kind> served = Collections.synchronizedSet(EnumSet.noneOf(Kind.class));
    /** The version of each kind on the server, if it differs from the preferred one. */
    private final Map<Kind, String> versions = Collections.synchronizedMap(new EnumMap<>(Kind.class));

    private final Set<Kind> missing = Collections.synchronizedSet(EnumSet.noneOf(Kind.class));

    /** @param page objects in one answer */
    Lists(ApiServer server, int page) {
        this.server = server;
        this.page = page;
    }

    Lists inPagesOf(int newPage) {
        return new Lists(server, newPage);
    }

    /** See {@link io.volume4j.spi.host.ClusterSource#list}. */
    Listing list(Kind kind, Selection selection) {
        String what = "list " + kind.apiName();
        String query = query(kind, selection);
        ApiServer.Answer answer = server.ask(what, query + page);
        if (answer.code() == 404 && findVersion(kind)) {
            query = query(kind, selection);
            answer = server.ask(what, query + page);
        }
        if (answer.code() == 404 && isNotServed(kind)) {
            missing.add(kind);
            return new Listing(List.of(), BEGINNING);
        }
        Page first = Page.of(what, kind, server.content(what, "", answer));
        served.add(kind);
        missing.remove(kind);
        List<ApiObject> objects = new ArrayList<>(first.objects());
        for (Page last = first; !last.more().isEmpty(); ) {
            answer = server.ask(what, query + page + "&continue=" + ApiPath.encoded(last.more()));
            if (answer.code() == 410) {
                // The revision of the list has expired on the server, so list everything in one page.
                Page whole = Page.of(what, kind, server.content(what, "", server.ask(what, query + 0)));
                return new Listing(whole.objects(), whole.revision());
            }
            last = Page.of(what, kind, server.content(what, "", answer));
            objects.addAll(last.objects());
        }
        return new Listing(objects, first.revision());
    }

    private String query(Kind kind, Selection selection) {
        return ApiPath.all(kind, version(kind)) + "?" + ApiPath.select(kind, selection) + "limit=";
    }

    /** The version for reads and writes of the kind, from the last list or read; else the preferred one. */
    String version(Kind kind) {
        return versions.getOrDefault(kind, kind.apiVersion());
    }

    /**
     * Whether the server's directory has the kind in another known version; that version is used from then on.
     *
     * @throws ClusterException unavailable, if it has the kind only in unknown versions
     */
    boolean findVersion(Kind kind) {
        if (kind.apiVersions().size() == 1) {
            return false;
        }
        String what = "look for " + kind.apiName();
        List<String> there = versionsOfGroup(what, kind);
        for (String known : kind.apiVersions()) {
            if (!known.equals(version(kind)) && there.contains(known) && has(what, known, kind)) {
                versions.put(kind, known);
                return true;
            }
        }
        List<String> unknown = there.stream()
                .filter(each -> !kind.apiVersions().contains(each) && has(what, each, kind))
                .toList();
        if (!unknown.isEmpty() && !there.contains(version(kind))) {
            throw ObjectReader.unavailable(
                    what,
                    "the server has it only in " + String.join(", ", unknown) + ", and what is known is "
                            + String.join(", ", kind.apiVersions()));
        }
        return false;
    }

    /** Whether the server had no such kind at the last list. */
    boolean isMissing(Kind kind) {
        return missing.contains(kind);
    }

    /**
     * Whether the server reports that it has no such kind. A 404 for the path is not enough: it may come from a proxy, or from a server
     * that has not loaded all its resources. So this asks the server's directory. A kind that was once served never counts as missing,
     * because the library would tear down its volumes.
     */
    private boolean isNotServed(Kind kind) {
        if (!OPTIONAL.contains(kind) || served.contains(kind)) {
            return false;
        }
        String what = "look for " + kind.apiName();
        return !versionsOfGroup(what, kind).contains(kind.apiVersion()) || !has(what, kind.apiVersion(), kind);
    }

    private List<String> versionsOfGroup(String what, Kind kind) {
        String group = kind.apiVersion().substring(0, kind.apiVersion().indexOf('/'));
        Map<String, @Nullable Object> groups = server.call(what, "", "GET", "/apis");
        List<Map<String, @Nullable Object>> all = Json.maps(groups, "groups");
        if (!Json.text(groups, "kind").equals("APIGroupList") || all.isEmpty()) {
            throw ObjectReader.unavailable(what, "the answer is no list of groups");
        }
        return all.stream()
                .filter(each -> Json.text(each, "name").equals(group))
                .flatMap(each -> Json.maps(each, "versions").stream())
                .map(each -> Json.text(each, "groupVersion"))
                .toList();
    }

    /** Whether the version of the group has the kind. */
    private boolean has(String what, String version, Kind kind) {
        Map<String, @Nullable Object> resources = server.call(what, "", "GET", "/apis/" + version);
        if (!Json.text(resources, "groupVersion").equals(version) || !(resources.get("resources") instanceof List)) {
            throw ObjectReader.unavailable(what, "the answer is no list of resources");
        }
        return Json.maps(resources, "resources").stream()
                .anyMatch(each -> Json.text(each, "name").equals(ApiPath.plural(kind)));
    }

    /** @param more the token of the next page, {@code ""} at the end */
    private record Page(List<ApiObject> objects, String revision, String more) {
        /** An invalid answer must not count as an empty list. */
        static Page of(String what, Kind kind, Map<String, @Nullable Object> answer) {
            Map<String, @Nullable Object> metadata = Json.map(answer, "metadata");
            String revision = Json.text(metadata, "resourceVersion");
            if (!Json.text(answer, "kind").equals(kind.apiName() + "List") || revision.isEmpty()) {
                throw ObjectReader.unavailable(what, "the answer is no list with a revision");
            }
            List<Map<String, @Nullable Object>> items = Json.maps(answer, "items");
            if (answer.get("items") != null
                    && !(answer.get("items") instanceof List<?> all && all.size() == items.size())) {
                throw ObjectReader.unavailable(what, "the answer lists what are no objects");
            }
            List<ApiObject> objects = items.stream()
                    .map(tree -> ObjectReader.read(what, kind, Json.text(answer, "apiVersion"), tree))
                    .toList();
            return new Page(objects, revision, Json.text(metadata, "continue"));
        }
    }
}
