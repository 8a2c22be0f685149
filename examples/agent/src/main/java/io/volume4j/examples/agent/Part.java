package io.volume4j.examples.agent;

import io.volume4j.examples.commandline.Usage;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * One part of the control plane, for one driver: the work of one sidecar of that driver.
 *
 * @param driver the name of its plugin, as in storage classes and volumes
 */
record Part(Role role, String driver) {
    /** The possible parts. */
    enum Role {
        PROVISIONER,
        ATTACHER,
        RESIZER,
        SNAPSHOTTER;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** @param text {@code provisioner=ebs.csi.aws.com} */
    static Part parse(String text) {
        int equals = text.indexOf('=');
        String word = equals < 0 ? text : text.substring(0, equals);
        if (word.equals("registrar")) {
            throw new Usage("--only registrar is for the command node: it tells of the CSI drivers of one node");
        }
        for (Role role : Role.values()) {
            if (role.word().equals(word)) {
                if (equals < 0 || equals == text.length() - 1) {
                    throw new Usage("--only " + word + " needs a driver: --only " + word
                            + "=DRIVER, with the name that storage classes have as their provisioner");
                }
                return new Part(role, text.substring(equals + 1));
            }
        }
        throw new Usage("--only has no part " + word + "; there are "
                + Arrays.stream(Role.values()).map(Role::word).collect(Collectors.joining(", "))
                + ", each with =DRIVER");
    }

    /** Each part has its own Lease, so that its leader can run where its driver runs. */
    String lease(String name) {
        return name + "-" + role.word() + "-" + driver.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-");
    }

    @Override
    public String toString() {
        return role.word() + "=" + driver;
    }
}
