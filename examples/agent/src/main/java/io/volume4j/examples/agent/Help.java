package io.volume4j.examples.agent;

/** What {@code --help} prints. */
final class Help {
    static final String TEXT = """
            usage: java -jar agent.jar COMMAND [OPTION]...

              node         mounts volumes for the pods of one node
                --server URL       the API server
                --name NAME        the node's name; its object is made if it is not there
                --root DIR         where volumes and mounts live
                --attach self|controller   who attaches volumes to this node, default self; controller also for
                                   Kubernetes' own attach-detach controller
                --csi-registration DIR     CSI drivers announce themselves here, as kubelet's plugins_registry
                --provision        also make and delete this node's loop volumes (loop.volume4j.io)
                --in-memory        touch nothing on this machine
                --once             mount what this node's pods want now, print it, leave it mounted and end
                --timeout SECONDS  how long --once waits, default 120
                --only registrar   tell the cluster of this node's CSI drivers and mount nothing; needs no --root
                --metrics 127.0.0.1:PORT   serve metrics there, as Prometheus reads them
              controllers  binds claims, makes, grows, protects and deletes volumes and snapshots, attaches volumes to nodes
                --server URL
                --csi DRIVER=unix:///PATH  a CSI driver's controller socket; may be repeated
                --only ROLE=DRIVER one part alone, for one driver, beside Kubernetes' own controllers; may be repeated:
                                   provisioner  makes and deletes its volumes
                                   attacher     carries out its VolumeAttachments
                                   resizer      grows its volumes and changes their attributes
                                   snapshotter  cuts and deletes its snapshots and group snapshots
                --lease NAMESPACE/NAME     by which several processes elect the one that works, default
                                           kube-system/volume4j-controllers; with --only, each part has a Lease of
                                           its own: NAME-ROLE-DRIVER
                --metrics 127.0.0.1:PORT
              rbac ROLE    prints the service account of a role and what it must be allowed, as manifests: controllers,
                           provisioner, attacher, resizer, snapshotter or node
              store        an API server of our own, to try the others on
                --listen 127.0.0.1:PORT    only this machine's loopback
                --dir DIR          where to keep the objects; otherwise they go with the process
              apply        writes manifests to the API server
                -f FILE --server URL
              get KIND     prints all objects of a kind, such as pods
                --server URL
              delete KIND [NAMESPACE/]NAME
                --server URL

              in place of --server:
                --kubeconfig FILE  server and user as kubectl has them, also by exec plugins and OIDC
                --context NAME     of that file, default its current one
                --in-cluster       the service account of the pod that this runs in
              with every --server:
                --token-file FILE  holds a bearer token
                --ca-file FILE     certificates (PEM) to trust instead of Java's
                --cert-file FILE   our own certificate (PEM), for servers that ask for one
                --key-file FILE    its private key (PEM), if that is not in the same file
              All of them are read anew whenever they are needed, and may be exchanged meanwhile.

            Ends with 0 when it is done or was asked to stop, 1 when it failed, 2 when it was asked wrongly. node,
            controllers and store run until they are interrupted (SIGTERM, Ctrl-C), and log to standard error.
            """;

    private Help() {}
}
